// The smallest application that has everything: one process is elected and sees itself in the registry and in the
// state of the cluster. Compiled and run against the packed libraries, outside of the repository.
import 'reflect-metadata';
import { DetectorCluster, DetectorClusterModule } from '@detector-cluster/detector-cluster';
import type { Lease } from '@detector-cluster/election';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { encodeCommand, parseWorkerCommand } from '@detector-cluster/worker-protocol';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const redis = process.env.REDIS_URL;
if (!redis) throw new Error('REDIS_URL is not set');

@Module({
  imports: [
    MasterElectionModule.forRoot({ isGlobal: true, redis, timing: 'fast', identifier: 'packed' }),
    DetectorClusterModule.forRoot({ redis }),
  ],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
const election = app.get(MasterElection);
const elected = await election.waitForElectionComplete(20_000);
const lease: Lease | null = election.lease;
const result = {
  elected,
  master: election.getIsMaster(),
  term: election.term,
  leaseValid: lease?.isValid() ?? false,
  processes: (await election.getAllProcesses()).length,
  cluster: (await app.get(DetectorCluster).getState()) !== undefined,
  protocol: parseWorkerCommand(encodeCommand({ type: 'requestState' })).ok,
};
await app.close();
console.log(JSON.stringify(result));
