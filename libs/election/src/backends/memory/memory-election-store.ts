import type { LeaseClaim, LeaseNews, LeaseView, NewLeaseClaim } from '../../lease/lease-store.js';
import { type Clock, systemClock, MAX_TIMER } from '../../util/clock.js';

/** The backend was disconnected from its store by `disconnect()`. */
export class StoreDisconnectedError extends Error {
  override readonly name = 'StoreDisconnectedError';
  readonly code = 'STORE_DISCONNECTED';

  constructor() {
    super('the store cannot be reached: this backend was disconnected from it');
  }
}

/** A lease that is held. */
export interface MemoryLease {
  readonly candidateId: string;
  readonly term: number;
  /** When it expires, on the clock of the store. */
  readonly until: number;
}

type HeldLease = MemoryLease & { readonly owner: string };

/** What candidates of one process compete for: one lease in memory. Terms begin with 1. */
export class MemoryElectionStore {
  /** How long a lease lasts without renewal. Milliseconds. */
  readonly lockTtl: number;
  readonly clock: Clock;
  private lease: HeldLease | undefined;
  private term = 0;
  private readonly watchers = new Set<(news: LeaseNews) => void>();

  /**
   * @param options.lockTtl Default 30,000 ms.
   * @param options.clock The same as that of the electors.
   * @throws RangeError when `lockTtl` is out of range.
   */
  constructor(options: { readonly lockTtl?: number; readonly clock?: Clock } = {}) {
    const { lockTtl = 30_000, clock = systemClock } = options;
    if (!(lockTtl >= 1 && lockTtl <= MAX_TIMER))
      throw new RangeError(`lockTtl must be a number of milliseconds from 1 to ${MAX_TIMER}, not ${lockTtl}`);
    this.lockTtl = lockTtl;
    this.clock = clock;
  }

  /** The current leader; `undefined` when there is none. */
  get leader(): MemoryLease | undefined {
    return this.lease && this.clock.now() < this.lease.until ? this.lease : undefined;
  }

  /** Takes the lease if it is free, or renews it. */
  acquire({ owner, candidateId, floor, ttl }: Omit<NewLeaseClaim, 'claimedFor' | 'floorTtl'>): LeaseView {
    if (this.leader) this.extend(owner, ttl);
    else this.take(owner, candidateId, floor, ttl);
    return this.view();
  }

  /** Renews the lease if `owner` holds it. */
  renew({ owner, ttl }: LeaseClaim): LeaseView {
    this.extend(owner, ttl);
    return this.view();
  }

  private take(owner: string, candidateId: string, floor: number, ttl: number): void {
    this.term = Math.max(this.term, floor) + 1;
    this.lease = { owner, candidateId, term: this.term, until: this.clock.now() + ttl };
    this.announce(candidateId);
  }

  private extend(owner: string, ttl: number): void {
    const { lease } = this;
    if (this.leader && lease?.owner === owner) this.lease = { ...lease, until: this.clock.now() + ttl };
  }

  release(owner: string): void {
    if (this.lease?.owner !== owner) return;
    this.lease = undefined;
    this.announce(null);
  }

  /** Reports changes of hands. @returns what ends it. */
  watch(watcher: (news: LeaseNews) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private view(): LeaseView {
    const { term } = this;
    if (!this.leader) return { owner: null, leaderId: null, term, remaining: 0 };
    const { owner, candidateId, until } = this.lease!;
    return { owner, leaderId: candidateId, term, remaining: until - this.clock.now() };
  }

  private announce(leaderId: string | null): void {
    for (const watcher of this.watchers) watcher({ term: this.term, leaderId });
  }
}
