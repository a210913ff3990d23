import { CandidateGroup } from '../candidates/candidate-group.js';
import type { LibraryName } from '../peers/leader-libraries.js';
import { slowEnd } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { endLeaders, freezeLeaders } from './successions.js';

const CANDIDATES = 3;

/**
 * Ends the leader in the same ways as for our library, once each in `runs` elections of one peer. The elections run at the
 * same time, because most of the time is spent waiting for leases of up to a minute.
 */
export async function peerFailovers(library: LibraryName, storeUrl: string, runs: number) {
  const started = await Promise.allSettled(
    Array.from({ length: runs }, () => CandidateGroup.start(library, storeUrl, CANDIDATES)),
  );
  const groups = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    const failed = started.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    const ends = await Promise.all(
      groups.map(async (group) => {
        const sigterm = await endLeaders(group, 'SIGTERM', 1);
        const sigkill = await endLeaders(group, 'SIGKILL', 1);
        return { sigterm, sigkill, ...(await freezeLeaders(group, 1)) };
      }),
    );
    progress(`failover: ${library} is done`);
    return {
      ...slowEnd(
        'sigterm',
        ends.flatMap(({ sigterm }) => sigterm),
      ),
      ...slowEnd(
        'sigkill',
        ends.flatMap(({ sigkill }) => sigkill),
      ),
      ...slowEnd(
        'sigstop',
        ends.flatMap(({ took }) => took),
      ),
      staleWritesAfterThaw: ends.reduce((sum, { staleWrites }) => sum + staleWrites, 0),
      runs,
    };
  } finally {
    await Promise.all(groups.map((group) => group.stop()));
  }
}
