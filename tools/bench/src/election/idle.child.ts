// An application with the module that does nothing. On request it reports its processor time.
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { IdleArguments, IdleReport } from './idle-process.js';

const { redisUrl, lockName, connectionName } = JSON.parse(process.argv[2]!) as IdleArguments;
const { hostname: host, port } = new URL(redisUrl);

@Module({
  imports: [MasterElectionModule.forRoot({ redis: { host, port: Number(port), connectionName }, lockName })],
})
class IdleModule {}

const app = await NestFactory.createApplicationContext(IdleModule, { logger: false });
const election = app.get(MasterElection);
await election.waitForElectionComplete(60_000);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const report: IdleReport = { isMaster: election.getIsMaster(), cpuMs: (user + system) / 1_000 };
  process.send!(report);
});
process.on('disconnect', () => process.exit());
process.send!('ready');
