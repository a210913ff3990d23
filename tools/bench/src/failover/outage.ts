import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedServer } from '@detector-cluster/dev-services';
import { CandidateGroup } from '../candidates/candidate-group.js';
import { libraries, type LibraryName } from '../peers/leader-libraries.js';
import { BenchStores } from '../support/bench-stores.js';
import { progress, sharedClock } from '../support/process-figures.js';
import { claimedBeyond } from './journal-facts.js';

/** How long a leader is observed after its lease has expired. Milliseconds. */
export const OUTAGE_BEYOND_LEASE = 10_000;

/** Time for a leader to extend its lease for the first time, if it does so early. */
const SETTLE = 2_000;

/**
 * Freezes the store, and measures how long the leader continues to act after the end of its lease, in milliseconds, at
 * most {@link OUTAGE_BEYOND_LEASE}. The lease is counted from the freeze, the latest possible moment of its extension.
 */
export async function claimsDuringOutage(names: readonly LibraryName[]): Promise<Map<LibraryName, number>> {
  const stores = await BenchStores.start(['redis', 'etcd']);
  try {
    const claims = await Promise.all(
      (['redis', 'etcd'] as const).map((kind) =>
        freeze(
          stores.own(kind),
          names.filter((name) => libraries[name].store === kind),
        ),
      ),
    );
    return new Map(claims.flat());
  } finally {
    await stores.stop();
  }
}

async function freeze(store: GuardedServer, names: readonly LibraryName[]): Promise<[LibraryName, number][]> {
  const groups: CandidateGroup[] = [];
  const leases = names.map((name) => libraries[name].leaseMs);
  try {
    for (const name of names) groups.push(await CandidateGroup.start(name, store.url, 1));
    await Promise.all(groups.map((group) => group.leader()));
    await sleep(SETTLE);
    store.pause();
    const frozen = sharedClock();
    await sleep(Math.max(0, ...leases) + OUTAGE_BEYOND_LEASE);
    progress(`failover: the outage of ${names.join(', ')} is over`);
    return names.map((name, index) => {
      const { journal } = groups[index]!;
      journal.read();
      const end = frozen + leases[index]!;
      return [name, claimedBeyond(journal.entries, end, end + OUTAGE_BEYOND_LEASE)];
    });
  } finally {
    // The candidates stop first: a frozen store cannot elect any of them in the meantime.
    await Promise.all(groups.map((group) => group.stop()));
  }
}
