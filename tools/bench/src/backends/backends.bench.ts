import { percentile } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { backendFailovers } from './backend-failovers.js';
import type { BackendOptions } from './backend-options.js';
import { startBackendStores, type BackendStores } from './backend-stores.js';
import type { StoreKind } from './bench-backend.js';
import { benchBackend, type BackendName } from './bench-backends.js';
import { chooseBackends } from './choose-backends.js';
import { steadyMessages } from './steady-messages.js';
import { uncontested } from './uncontested.js';

const SIZES = [3, 10, 50] as const;
const ELECTIONS_PER_ROUND = 10;

/**
 * Measures all backends with their defaults: the duration of an uncontested election, the time without a leader after one of
 * three processes ends, and the messages that members send while nothing happens. `null`: does not apply to a backend within one
 * process, because no other process survives.
 */
export async function backendsBench({ rounds, only }: BackendOptions) {
  const { names, leftOut } = chooseBackends(only, process.env);
  const kinds = names.flatMap((name) => benchBackend(name).store ?? []);
  const stores = await startBackendStores(new Set(kinds));
  try {
    const ends = new Map<BackendName, Awaited<ReturnType<typeof measureEnds>>>();
    for (const name of names) ends.set(name, await measureEnds(name, stores, rounds));
    const messages = await measureMessages(names, stores);
    return {
      bench: 'backends',
      backends: Object.fromEntries(
        names.map((name) => [name, { ...ends.get(name)!, messagesPerMemberPerSecond: messages.get(name)! }]),
      ),
      leftOut,
      rounds,
    };
  } finally {
    await stores.stop();
  }
}

/** One backend after the other, so that measurements do not compete for the machine. */
async function measureEnds(name: BackendName, stores: BackendStores, rounds: number) {
  const backend = benchBackend(name);
  const url = urlOf(stores, backend.store);
  const elections = rounds * ELECTIONS_PER_ROUND;
  progress(`backends: ${name}, ${elections} elections`);
  const took = await uncontested(backend, url, elections);
  const electionP99Ms = percentile(took, 0.99);
  if (backend.store === null) return { electionP99Ms, sigkillP99Ms: null, sigtermP99Ms: null };
  progress(`backends: ${name}, ${rounds} × SIGTERM and SIGKILL`);
  const { sigkill, sigterm } = await backendFailovers(name, url, rounds);
  return {
    electionP99Ms,
    sigkillP99Ms: percentile(sigkill, 0.99),
    sigtermP99Ms: percentile(sigterm, 0.99),
  };
}

/** All at the same time: timers make each backend send the same number of messages anyway. */
async function measureMessages(names: readonly BackendName[], stores: BackendStores) {
  progress(`backends: ${SIZES.join(', ')} members of each do nothing`);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<unknown>) => (last = last.then(work));
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const backend = benchBackend(name);
        const url = urlOf(stores, backend.store);
        const rates = await Promise.all(
          SIZES.map(async (size) => [size, await steadyMessages(backend, url, size, inTurn)] as const),
        );
        return [name, Object.fromEntries(rates)] as const;
      }),
    ),
  );
}

function urlOf(stores: BackendStores, kind: StoreKind | null): string {
  return kind === null ? '' : stores.urlOf(kind);
}
