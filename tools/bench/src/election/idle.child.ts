// An application with the module that does nothing. On request it reports its processor time.
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { childArgument, serveCalls } from '../support/child-calls.js';
import type { IdleArguments, IdleCalls } from './idle-calls.js';

const { redisUrl, lockName, connectionName } = childArgument<IdleArguments>();
const { hostname: host, port } = new URL(redisUrl);

@Module({
  imports: [MasterElectionModule.forRoot({ redis: { host, port: Number(port), connectionName }, lockName })],
})
class IdleModule {}

const app = await NestFactory.createApplicationContext(IdleModule, { logger: false });
const election = app.get(MasterElection);
await election.waitForElectionComplete(60_000);
serveCalls<IdleCalls>({
  report() {
    const { user, system } = process.cpuUsage();
    return Promise.resolve({ isMaster: election.getIsMaster(), cpuMs: (user + system) / 1_000 });
  },
});
