import type { Candidate, ElectionBackend, ElectionState } from '../../contract/election-backend.js';
import type { Clock } from '../../util/clock.js';
import { CampaignMemory, CampaignSlot } from '../../lease/campaign-slot.js';
import { LeaseCampaign } from '../../lease/lease-campaign.js';
import type { LeaseStore, LeaseWatcher } from '../../lease/lease-store.js';
import { type MemoryElectionStore, StoreDisconnectedError } from './memory-election-store.js';

/** How long `close` waits for a campaign whose states are no longer read. Milliseconds. */
const TIMEOUT = 1_000;

/**
 * Elects among candidates of one process, over a {@link MemoryElectionStore} that they share; for applications of one process
 * and for tests.
 *
 * A leader renews three times per `lockTtl`, may act until `lockTtl` after its last renewal, and is replaced then. A leader
 * that resigns or closes is replaced at once. A test uses {@link disconnect} to cut a leader off.
 */
export class MemoryElectionBackend implements ElectionBackend {
  readonly name = 'memory';
  private readonly store: MemoryElectionStore;
  private readonly clock: Clock;
  private readonly memory = new CampaignMemory();
  private readonly slot: CampaignSlot<LeaseCampaign>;
  private connected = true;

  constructor({
    store,
    clock = store.clock,
  }: {
    readonly store: MemoryElectionStore;
    /** Of this candidate, with the monotonic time of the store's. Default: the clock of the store. */
    readonly clock?: Clock;
  }) {
    this.store = store;
    this.clock = clock;
    this.slot = new CampaignSlot(clock);
  }

  get lockTtl(): number {
    return this.store.lockTtl;
  }

  campaign(candidate: Candidate, consumer: AbortSignal): AsyncGenerator<ElectionState> {
    const { name, memory, clock, lockTtl } = this;
    return this.slot.run(
      consumer,
      (signal) =>
        new LeaseCampaign({
          name,
          store: this.way(),
          memory,
          timing: { lockTtl, heartbeatInterval: lockTtl / 3, checkInterval: lockTtl },
          callTimeout: lockTtl,
          candidateId: candidate.id,
          signal,
          consumer,
          clock,
          random: Math.random,
          local: true,
        }),
    );
  }

  async resign(): Promise<void> {
    await this.slot.current?.resign();
  }

  /** From now on nothing reaches the store, and nothing comes from it. */
  disconnect(): void {
    this.connected = false;
    this.slot.current?.wake();
  }

  /** Undoes {@link disconnect}. */
  reconnect(): void {
    this.connected = true;
    this.slot.current?.wake();
  }

  async close(): Promise<void> {
    await this.slot.close(TIMEOUT);
  }

  /** The store as this backend reaches it. */
  private way(): LeaseStore {
    const { store } = this;
    const call = async <Result>(work: () => Result): Promise<Result> => {
      if (!this.connected) throw new StoreDisconnectedError();
      return work();
    };
    return {
      acquire: (claim) => call(() => store.acquire(claim)),
      renew: (claim) => call(() => store.renew(claim)),
      release: ({ owner }) => call(() => store.release(owner)),
      watch: (watcher) => {
        const heard: LeaseWatcher = {
          changed: (news) => this.connected && watcher.changed(news),
          wake: () => watcher.wake(),
          failed: (error) => watcher.failed(error),
        };
        return store.watch(heard);
      },
    };
  }
}
