import { RedisElectionBackend } from '@detector-cluster/election/redis';
import { randomUUID } from 'node:crypto';
import { timed } from '../support/percentile.js';
import { withCandidates } from './bench-candidate.js';

/** Waits until the store elects. Right after its start it does not, because an old leader could still be valid. */
export async function untilElectable(redis: string): Promise<void> {
  await electionOf(redis, 1);
}

/**
 * Durations of `runs` elections among `count` candidates, in milliseconds. The candidates begin at the same moment, with
 * connections that are not yet open. An election ends when each of them knows the leader.
 */
export async function elections(redis: string, count: number, runs: number): Promise<number[]> {
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
