// An application with the module that does nothing. On request it reports its processor time.
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { cpuTime } from '../support/process-figures.js';

export interface IdleArguments {
  readonly redisUrl: string;
  readonly lockName: string;
  /** Name of its connections at the server. */
  readonly connectionName: string;
}

const { redisUrl, lockName, connectionName } = childArgument<IdleArguments>();
const { hostname: host, port } = new URL(redisUrl);

@Module({
  imports: [MasterElectionModule.forRoot({ redis: { host, port: Number(port), connectionName }, lockName })],
})
class IdleModule {}

const app = await NestFactory.createApplicationContext(IdleModule, { logger: false });
const election = app.get(MasterElection);
await election.waitForElectionComplete(60_000);
const calls = {
  /** Processor time since the start of the process, in milliseconds. */
  report: () => ({ isMaster: election.getIsMaster(), cpuMs: cpuTime() / 1_000 }),
};
export type IdleCalls = typeof calls;

serveCalls(calls);
