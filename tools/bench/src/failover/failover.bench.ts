import { loadLibrary, PEERS, type LibraryName } from '../peers/leader-libraries.js';
import { progress } from '../support/progress.js';
import type { FailoverOptions } from './failover-options.js';
import { claimsDuringOutage, OUTAGE_BEYOND_LEASE } from './outage.js';
import { ownFailovers } from './own-failovers.js';
import { peerFailovers } from './peer-failovers.js';
import { startStores } from './stores.js';

/**
 * Ends the leader of three processes in every way, and measures until another one knows that it leads. It does the same
 * to other libraries, with their own defaults. It also measures how long a leader continues to act beyond its lease while the
 * store is frozen, and how many writes a frozen leader makes when it wakes after it was replaced.
 */
export async function failoverBench(options: FailoverOptions) {
  const stores = await startStores();
  try {
    const own = await ownFailovers(stores.redis.url, options);
    const peers: readonly LibraryName[] = options.peerRuns > 0 ? PEERS : [];
    progress(`failover: the store's outage; ${peers.length} other libraries, ${options.peerRuns} runs each`);
    const outage = claimsDuringOutage(['master-election', ...peers]);
    const [claims, ...figures] = await Promise.all([
      outage,
      ...peers.map(async (name) => {
        const { store, leaseMs } = await loadLibrary(name);
        return { leaseMs, ...(await peerFailovers(name, stores[store].url, options.peerRuns)) };
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
