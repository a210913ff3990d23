import { libraries, PEERS, type LibraryName } from '../peers/leader-libraries.js';
import { BenchStores } from '../support/bench-stores.js';
import { progress } from '../support/process-figures.js';
import { claimsDuringOutage, OUTAGE_BEYOND_LEASE } from './outage.js';
import { ownFailovers, peerFailovers } from './failovers.js';

/** The measurements and their number of runs. */
export interface FailoverOptions {
  /** Runs of each kind of end, with our library. */
  readonly runs: number;
  /** Runs of each kind of end, with each other library; 0 omits them. */
  readonly peerRuns: number;
  /** Election timing of our library when masters are killed. */
  readonly timing: 'default' | 'fast';
}

/**
 * Ends the leader of three processes in every way, and measures until another one knows that it leads. It does the same
 * to other libraries, with their own defaults. It also measures how long a leader continues to act beyond its lease while the
 * store is frozen, and how many writes a frozen leader makes when it wakes after it was replaced.
 */
export async function failoverBench(options: FailoverOptions) {
  const stores = await BenchStores.start(['redis', 'etcd']);
  try {
    const own = await ownFailovers(stores.urlOf('redis'), options);
    const peers: readonly LibraryName[] = options.peerRuns > 0 ? PEERS : [];
    progress(`failover: the store's outage; ${peers.length} other libraries, ${options.peerRuns} runs each`);
    const outage = claimsDuringOutage(['master-election', ...peers]);
    const [claims, ...figures] = await Promise.all([
      outage,
      ...peers.map(async (name) => {
        const { store, leaseMs } = libraries[name];
        return { leaseMs, ...(await peerFailovers(name, stores.urlOf(store), options.peerRuns)) };
      }),
    ]);
    return {
      bench: 'failover',
      ...own,
      claimsDuringOutageMs: claims.get('master-election'),
      outageBeyondLeaseMs: OUTAGE_BEYOND_LEASE,
      peers: Object.fromEntries(
        peers.map((name, index) => [name, { ...figures[index], claimsDuringOutageMs: claims.get(name) }]),
      ),
    };
  } finally {
    await stores.stop();
  }
}
