import type { AcquisitionReason } from '../../contract/reasons.js';
import { systemClock, type Clock } from '../../util/clock.js';

/** A lease that is held. */
export interface MemoryLease {
  readonly candidateId: string;
  readonly term: number;
  /** When it runs out, on the clock of the store. */
  readonly until: number;
}

interface HeldLease extends MemoryLease {
  /** Whose it is: a candidate's next campaign is somebody else. */
  readonly owner: object;
}

type Granted = MemoryLease & { readonly reason: AcquisitionReason };

/** A timer of Node takes no longer time. Milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** What candidates of one process compete for: one lease in memory. Terms begin with 1. */
export class MemoryElectionStore {
  /** How long a lease lasts without renewal. Milliseconds. */
  readonly lockTtl: number;
  readonly clock: Clock;
  private lease: HeldLease | undefined;
  private term = 0;
  private readonly watchers = new Map<object, () => void>();

  /**
   * @param options.lockTtl Default 30,000 ms.
   * @param options.clock The same as that of the electors.
   * @throws RangeError when `lockTtl` is out of range.
   */
  constructor(options: { readonly lockTtl?: number; readonly clock?: Clock } = {}) {
    const { lockTtl = 30_000, clock = systemClock } = options;
    if (!(lockTtl >= 1 && lockTtl <= LONGEST))
      throw new RangeError(`lockTtl must be a number of milliseconds from 1 to ${LONGEST}, not ${lockTtl}`);
    this.lockTtl = lockTtl;
    this.clock = clock;
  }

  /** The highest term so far; 0 before the first. */
  get lastTerm(): number {
    return this.term;
  }

  /** Who leads at this moment; `undefined` when nobody does. */
  get leader(): MemoryLease | undefined {
    return this.lease && this.clock.now() < this.lease.until ? this.lease : undefined;
  }

  /** Takes the lease if nobody holds it, or renews it. Returns `undefined` when somebody else holds it. */
  acquire(owner: object, candidateId: string): Granted | undefined {
    const until = this.clock.now() + this.lockTtl;
    const { leader, lease } = this;
    if (leader) {
      if (lease?.owner !== owner) return undefined;
      this.lease = { ...lease, until };
      return { ...this.lease, reason: 'vacant' };
    }
    let reason: AcquisitionReason = 'vacant';
    if (this.term > 0) reason = lease ? 'expired' : 'released';
    this.lease = { owner, candidateId, term: ++this.term, until };
    this.announce(owner);
    return { ...this.lease, reason };
  }

  release(owner: object): void {
    if (this.lease?.owner !== owner) return;
    this.lease = undefined;
    this.announce(owner);
  }

  /** Calls back when others take the lease or release it, until {@link unwatch}. */
  watch(owner: object, changed: () => void): void {
    this.watchers.set(owner, changed);
  }

  unwatch(owner: object): void {
    this.watchers.delete(owner);
  }

  private announce(by: object): void {
    for (const [owner, changed] of this.watchers) if (owner !== by) changed();
  }
}
