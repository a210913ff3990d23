import { withCandidates } from '../election/bench-candidate.js';
import { timed } from '../support/percentile.js';
import type { BenchBackend } from './bench-backend.js';
import { withElection } from './with-election.js';

/**
 * Durations of `count` elections of a single candidate, from the start of its campaign on a connection that is not yet open until it
 * leads. Milliseconds.
 */
export async function uncontested(backend: BenchBackend, url: string, count: number): Promise<number[]> {
  const one = () =>
    withElection(backend, url, (election) =>
      withCandidates([election.member()], ([candidate]) => timed(() => candidate!.untilLeaderKnown())),
    );
  // A store that has just started may refuse every candidate for a while.
  await one();
  if (backend.waits) return Promise.all(Array.from({ length: count }, one));
  const took: number[] = [];
  for (let run = 0; run < count; run++) took.push(await one());
  return took;
}
