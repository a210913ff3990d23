import { LeaseBackend } from '../../lease/lease-backend.js';
import type { LeaseStore } from '../../lease/lease-store.js';
import type { Clock } from '../../util/clock.js';
import { type MemoryElectionStore, StoreDisconnectedError } from './memory-election-store.js';

/** How the candidate reaches the store. */
interface Link {
  connected: boolean;
}

/**
 * Elects among candidates of one process, over a {@link MemoryElectionStore} that they share; for applications of one process
 * and for tests.
 *
 * A leader renews three times per `lockTtl`, may act until `lockTtl` after its last renewal, and is replaced then. A leader
 * that resigns or closes is replaced at once. A test uses {@link disconnect} to cut a leader off.
 */
export class MemoryElectionBackend extends LeaseBackend {
  private readonly link: Link;

  constructor({
    store,
    clock = store.clock,
  }: {
    readonly store: MemoryElectionStore;
    /** Of this candidate, with the monotonic time of the store's. Default: the clock of the store. */
    readonly clock?: Clock;
  }) {
    const { lockTtl } = store;
    const link: Link = { connected: true };
    super({
      name: 'memory',
      store: linked(store, link),
      timing: { lockTtl, heartbeatInterval: lockTtl / 3, checkInterval: lockTtl },
      callTimeout: lockTtl,
      clock,
      random: Math.random,
      local: true,
    });
    this.link = link;
  }

  /** From now on nothing reaches the store, and nothing comes from it. */
  disconnect(): void {
    this.link.connected = false;
    this.current?.wake();
  }

  /** Undoes {@link disconnect}. */
  reconnect(): void {
    this.link.connected = true;
    this.current?.wake();
  }
}

function linked(store: MemoryElectionStore, link: Link): LeaseStore {
  const call = async <Result>(work: () => Result): Promise<Result> => {
    if (!link.connected) throw new StoreDisconnectedError();
    return work();
  };
  return {
    acquire: (claim) => call(() => store.acquire(claim)),
    renew: (claim) => call(() => store.renew(claim)),
    release: ({ owner }) => call(() => store.release(owner)),
    watch: (watcher) =>
      store.watch((news) => {
        if (link.connected) watcher.changed(news);
      }),
  };
}
