import { RedisElectionBackend } from '@detector-cluster/election/redis';
import { randomUUID } from 'node:crypto';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startRedis } from '@detector-cluster/dev-services';
import { spread, timed, timedRuns } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { withCandidates } from './bench-candidate.js';
import { steadyCost } from './steady-cost.js';

/** Waits until the store elects. Right after its start it does not, because an old leader could still be valid. */
async function untilElectable(redis: string): Promise<void> {
  await electionOf(redis, 1);
}

/**
 * Durations of `runs` elections among `count` candidates, in milliseconds. The candidates begin at the same moment, with
 * connections that are not yet open. An election ends when each of them knows the leader.
 */
async function elections(redis: string, count: number, runs: number): Promise<number[]> {
  const took: number[] = [];
  for (let run = 0; run < runs; run++) took.push(await electionOf(redis, count));
  return took;
}

function electionOf(redis: string, count: number): Promise<number> {
  const lockName = `bench-${randomUUID()}`;
  const backends = Array.from(
    { length: count },
    () => new RedisElectionBackend({ redis, lockName, timing: 'fast' }),
  );
  return withCandidates(backends, (candidates) =>
    timed(() => Promise.all(candidates.map((candidate) => candidate.untilLeaderKnown()))),
  );
}

/** Durations of `runs` registrations of another process, one after the other. Milliseconds. */
async function registrations(redis: string, runs: number): Promise<number[]> {
  @Module({
    imports: [MasterElectionModule.forRoot({ redis, timing: 'fast', lockName: `bench-${randomUUID()}` })],
  })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  try {
    const election = app.get(MasterElection);
    await election.waitForElectionComplete();
    return await timedRuns(runs, (run) => {
      const processId = `bench:${run}`;
      return election.registerProcess({
        processId,
        nodeId: processId,
        role: 'slave',
        lastSeen: new Date().toISOString(),
        capabilities: { canProcessDetections: true, maxSubscriptions: 100, preferredWorkload: 80 },
      });
    });
  } finally {
    await app.close();
  }
}

const UNCONTESTED = 200;
const CANDIDATES = 50;
const CONTESTED = 20;
const REGISTRATIONS = 500;

/** Measures an uncontested election, one with 50 candidates, the registry's upsert, and the cost of an idle process. */
export async function electionBench() {
  const redis = await startRedis();
  try {
    progress('election: waiting until a fresh Redis elects');
    await untilElectable(redis.url);
    progress(`election: ${UNCONTESTED} uncontested`);
    const uncontested = await elections(redis.url, 1, UNCONTESTED);
    progress(`election: ${CONTESTED} among ${CANDIDATES} candidates`);
    const contested = await elections(redis.url, CANDIDATES, CONTESTED);
    progress(`election: ${REGISTRATIONS} registrations`);
    const registered = await registrations(redis.url, REGISTRATIONS);
    progress('election: what idle processes cost');
    return {
      bench: 'election',
      ...spread('uncontested', uncontested),
      ...spread('contested50', contested),
      ...spread('register', registered),
      ...(await steadyCost(redis.url)),
      runs: UNCONTESTED,
      contestedRuns: CONTESTED,
    };
  } finally {
    await redis.stop();
  }
}
