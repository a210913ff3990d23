// A backend process of a cluster: node cluster-child.mjs '{"redis", "prefix", "workers", "subscriptions"}'
// It informs its parent when it has started and subscribed, and each time that it becomes master. Uses the built libraries: run
// "npm run build" first.
import { DetectorCluster, DetectorClusterModule } from '@detector-cluster/detector-cluster';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { NestFactory } from '@nestjs/core';

const { prefix, redis, workers, subscriptions = [], timing = 'default' } = JSON.parse(process.argv[2]);

class ChildModule {}

const app = await NestFactory.createApplicationContext(
  {
    module: ChildModule,
    imports: [
      MasterElectionModule.forRoot({ redis, timing, lockName: `${prefix}election`, isGlobal: true }),
      DetectorClusterModule.forRoot({ redis, keyPrefix: prefix, workers }),
    ],
  },
  { logger: ['error'] },
);
const election = app.get(MasterElection);
election.on('master-acquired', () => process.send('master'));
await election.waitForElectionComplete();
await app.get(DetectorCluster).subscribe(subscriptions);
process.on('SIGTERM', () => void app.close().then(() => process.exit()));
process.send('started');
process.on('disconnect', () => process.exit());
