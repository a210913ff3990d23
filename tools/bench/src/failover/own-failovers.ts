import { CandidateGroup } from '../candidates/candidate-group.js';
import type { LibraryName } from '../peers/leader-libraries.js';
import { percentile, slowEnd } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import type { FailoverOptions } from './failover-options.js';
import { endLeaders, freezeLeaders } from './successions.js';

const CANDIDATES = 3;

/** How many masters are frozen at the same time: most of the time is spent waiting for leases. */
const FREEZE_LANES = 5;

/** Ends the master of our library in each way, one after the other, so that measurements do not compete for the machine. */
export async function ownFailovers(redisUrl: string, { runs, timing }: FailoverOptions) {
  const killed: LibraryName = timing === 'fast' ? 'master-election-fast' : 'master-election';
  const { sigterm, sigkill } = await withGroup(killed, redisUrl, async (group) => {
    progress(`failover: ${runs} × SIGTERM`);
    const sigterm = await endLeaders(group, 'SIGTERM', runs);
    progress(`failover: ${runs} × SIGKILL, timing ${timing}`);
    return { sigterm, sigkill: await endLeaders(group, 'SIGKILL', runs) };
  });
  progress(`failover: ${runs} × SIGSTOP, timing fast`);
  const lanes = await Promise.all(
    share(runs, FREEZE_LANES).map((count) =>
      withGroup('master-election-fast', redisUrl, (group) => freezeLeaders(group, count)),
    ),
  );
  const sigstop = lanes.flatMap(({ took }) => took);
  return {
    sigtermP50Ms: percentile(sigterm, 0.5),
    ...slowEnd('sigterm', sigterm),
    sigkillP50Ms: percentile(sigkill, 0.5),
    ...slowEnd('sigkill', sigkill),
    sigkillTiming: timing,
    sigstopFastP50Ms: percentile(sigstop, 0.5),
    ...slowEnd('sigstopFast', sigstop),
    staleWritesAfterThaw: lanes.reduce((sum, { staleWrites }) => sum + staleWrites, 0),
    runs,
  };
}

async function withGroup<T>(
  library: LibraryName,
  storeUrl: string,
  work: (group: CandidateGroup) => Promise<T>,
): Promise<T> {
  const group = await CandidateGroup.start(library, storeUrl, CANDIDATES);
  try {
    return await work(group);
  } finally {
    await group.stop();
  }
}

/** Splits `total` into at most `lanes` parts that differ by at most one. */
function share(total: number, lanes: number): number[] {
  const count = Math.min(total, lanes);
  return Array.from({ length: count }, (_, lane) => Math.floor((total + lane) / count));
}
