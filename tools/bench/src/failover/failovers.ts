import { withGroups } from '../candidates/candidate-group.js';
import type { LibraryName } from '../peers/leader-libraries.js';
import { slowEnd, spread, sum } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import type { FailoverOptions } from './failover.bench.js';
import { endLeaders, freezeLeaders } from './successions.js';

const SIZE = 3;

/** How many masters are frozen at the same time. */
const FREEZE_LANES = 5;

/** Ends the master of our library in each way, one after the other, so that measurements do not compete for the machine. */
export async function ownFailovers(storeUrl: string, { runs, timing }: FailoverOptions) {
  const killed: LibraryName = timing === 'fast' ? 'master-election-fast' : 'master-election';
  const { sigterm, sigkill } = await withGroups(
    { library: killed, storeUrl, size: SIZE },
    1,
    async ([group]) => {
      progress(`failover: ${runs} × SIGTERM`);
      const sigterm = await endLeaders(group!, 'SIGTERM', runs);
      progress(`failover: ${runs} × SIGKILL, timing ${timing}`);
      return { sigterm, sigkill: await endLeaders(group!, 'SIGKILL', runs) };
    },
  );
  progress(`failover: ${runs} × SIGSTOP, timing fast`);
  const shares = share(runs, FREEZE_LANES);
  const lanes = await withGroups(
    { library: 'master-election-fast', storeUrl, size: SIZE },
    shares.length,
    (groups) => Promise.all(groups.map((group, lane) => freezeLeaders(group, shares[lane]!))),
  );
  return {
    ...spread('sigterm', sigterm),
    ...spread('sigkill', sigkill),
    sigkillTiming: timing,
    ...spread(
      'sigstopFast',
      lanes.flatMap(({ took }) => took),
    ),
    staleWritesAfterThaw: sum(lanes.map(({ staleWrites }) => staleWrites)),
    runs,
  };
}

/** Ends the leader in the same ways as for our library, once each in `runs` elections of one peer, with leases of up to a minute. */
export async function peerFailovers(library: LibraryName, storeUrl: string, runs: number) {
  const ends = await withGroups({ library, storeUrl, size: SIZE }, runs, (groups) =>
    Promise.all(
      groups.map(async (group) => {
        const sigterm = await endLeaders(group, 'SIGTERM', 1);
        const sigkill = await endLeaders(group, 'SIGKILL', 1);
        const { took: sigstop, staleWrites } = await freezeLeaders(group, 1);
        return { sigterm, sigkill, sigstop, staleWrites };
      }),
    ),
  );
  progress(`failover: ${library} is done`);
  const slowest = (kind: 'sigterm' | 'sigkill' | 'sigstop') =>
    slowEnd(
      kind,
      ends.flatMap((end) => end[kind]),
    );
  return {
    ...slowest('sigterm'),
    ...slowest('sigkill'),
    ...slowest('sigstop'),
    staleWritesAfterThaw: sum(ends.map(({ staleWrites }) => staleWrites)),
    runs,
  };
}

/** Splits `total` into at most `lanes` parts that differ by at most one. */
function share(total: number, lanes: number): number[] {
  const count = Math.min(total, lanes);
  return Array.from({ length: count }, (_, lane) => Math.floor((total + lane) / count));
}
