import { type Clock, systemClock } from '@detector-cluster/election';
import {
  LeaseBackend,
  type LeaseClaim,
  type LeaseStore,
  type LeaseView,
  type LeaseWatcher,
  type NewLeaseClaim,
} from '@detector-cluster/election/lease';
import { Resubscriber } from '../base/resubscriber.js';
import type { FeedStore } from './feed-store.js';
import { callTimeoutOf, resolveLeaseTiming, type LeaseTiming } from './lease-timing.js';

export interface LeaseElectionOptions extends Partial<LeaseTiming> {
  /** Receives what an operator should know. Default: `process.emitWarning`. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

type ResolvedOptions = Required<Pick<LeaseElectionOptions, 'onWarning' | 'clock' | 'random'>>;

/**
 * Elects over a lease in a store that has a feed: by compare-and-set, with a term, and by the store's clock. The feed only triggers
 * reads; without it elections are slower, but safe.
 */
export abstract class LeaseElectionBackend extends LeaseBackend {
  private readonly store: FeedStore;
  private readonly lease: FeedLease;

  /**
   * @param storeOf Makes the store; `timeout` is that of each call. Milliseconds.
   * @throws RangeError when the durations are inconsistent.
   */
  protected constructor(storeOf: (timeout: number) => FeedStore, options: LeaseElectionOptions) {
    const { clock = systemClock, random = Math.random } = options;
    const { onWarning = (message) => process.emitWarning(message) } = options;
    const timing = resolveLeaseTiming(options);
    const callTimeout = callTimeoutOf(timing.lockTtl);
    const store = storeOf(callTimeout);
    const lease = new FeedLease(store, { clock, random, onWarning });
    super({ name: store.name, store: lease, timing, callTimeout, clock, random });
    this.store = store;
    this.lease = lease;
  }

  /**
   * Hands leadership to a candidate: the leader steps down, and no other candidate is elected before `lockTtl` has passed.
   * Rejects when the store is unavailable.
   */
  async nominate(candidateId: string): Promise<void> {
    await this.store.lease.nominate(candidateId, this.lockTtl);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.lease.close();
  }
}

/** Opens the lease of a store, with the store's feed. */
class FeedLease implements LeaseStore {
  private watcher: LeaseWatcher | undefined;
  private resubscriber: Resubscriber | undefined;
  private opened = false;

  constructor(
    private readonly store: FeedStore,
    private readonly options: ResolvedOptions,
  ) {}

  /** Connects and subscribes. */
  async prepare(): Promise<void> {
    if (!this.opened) {
      await this.store.open();
      await this.store.create();
      this.opened = true;
    }
    if (this.resubscriber) return;
    this.resubscriber = this.listen();
    this.resubscriber.repair();
  }

  acquire(claim: NewLeaseClaim): Promise<LeaseView> {
    return this.store.lease.acquire(claim);
  }

  renew(claim: LeaseClaim): Promise<LeaseView> {
    return this.store.lease.renew(claim);
  }

  release(claim: LeaseClaim): Promise<void> {
    return this.store.lease.release(claim);
  }

  watch(watcher: LeaseWatcher): () => void {
    this.watcher = watcher;
    return () => (this.watcher = undefined);
  }

  async close(): Promise<void> {
    await this.resubscriber?.stop().catch(() => undefined);
    await this.store.close();
  }

  private listen(): Resubscriber {
    const { clock, random, onWarning } = this.options;
    let warned = '';
    const resubscriber = new Resubscriber({
      subscribe: () =>
        this.store.subscribe({
          heard: () => undefined,
          changed: () => undefined,
          leaseChanged: () => this.watcher?.changed(),
          failed: (error) => resubscriber.broken(error),
        }),
      unsubscribe: () => this.store.unsubscribe(),
      started: () => {
        warned = '';
        this.watcher?.wake();
      },
      failed: ({ message }) => {
        if (message === warned) return;
        warned = message;
        onWarning(
          `the feed of ${this.store.name} reports nothing until it is back, so that elections take longer: ${message}`,
        );
      },
      clock,
      random,
    });
    return resubscriber;
  }
}
