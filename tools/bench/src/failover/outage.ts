import { setTimeout as sleep } from 'node:timers/promises';
import { CandidateGroup } from '../candidates/candidate-group.js';
import { loadLibrary, type LibraryName } from '../peers/leader-libraries.js';
import { progress } from '../support/progress.js';
import { sharedClock } from '../support/shared-clock.js';
import { claimedBeyond } from './journal-facts.js';
import { startStores, type Store } from './stores.js';

/** How long a leader is observed after its lease has expired. Milliseconds. */
export const OUTAGE_BEYOND_LEASE = 10_000;

/** Time for a leader to extend its lease for the first time, if it does so early. */
const SETTLE = 2_000;

/**
 * Freezes the store, and measures how long the leader continues to act after the end of its lease, in milliseconds, at
 * most {@link OUTAGE_BEYOND_LEASE}. The lease is counted from the freeze, the latest possible moment of its extension.
 */
export async function claimsDuringOutage(
  libraries: readonly LibraryName[],
): Promise<Map<LibraryName, number>> {
  const stores = await startStores();
  try {
    const loaded = await Promise.all(libraries.map(async (name) => ({ name, ...(await loadLibrary(name)) })));
    const claims = await Promise.all(
      (['redis', 'etcd'] as const).map((kind) =>
        freeze(
          stores[kind],
          loaded.filter(({ store }) => store === kind),
        ),
      ),
    );
    return new Map(claims.flat());
  } finally {
    await stores.stop();
  }
}

async function freeze(
  store: Store,
  libraries: readonly { readonly name: LibraryName; readonly leaseMs: number }[],
): Promise<[LibraryName, number][]> {
  const groups: CandidateGroup[] = [];
  try {
    for (const { name } of libraries) groups.push(await CandidateGroup.start(name, store.url, 1));
    await Promise.all(groups.map((group) => group.leader()));
    await sleep(SETTLE);
    store.pause();
    const frozen = sharedClock();
    await sleep(Math.max(0, ...libraries.map(({ leaseMs }) => leaseMs)) + OUTAGE_BEYOND_LEASE);
    progress(`failover: the outage of ${libraries.map(({ name }) => name).join(', ')} is over`);
    return libraries.map(({ name, leaseMs }, index) => {
      const { journal } = groups[index]!;
      journal.read();
      const end = frozen + leaseMs;
      return [name, claimedBeyond(journal.entries, end, end + OUTAGE_BEYOND_LEASE)];
    });
  } finally {
    // The candidates stop first: a frozen store cannot elect any of them in the meantime.
    await Promise.all(groups.map((group) => group.stop()));
  }
}
