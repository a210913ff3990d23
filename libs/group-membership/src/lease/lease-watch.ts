import type { Clock } from '@detector-cluster/election';
import { SeenLease } from '@detector-cluster/election/internal';
import type { LeaderInfo } from '../store/leader-record.js';
import type { Look } from '../store/record-access.js';

interface Sighting {
  readonly key: string;
  readonly revision: number;
  /** When it was first seen. Monotonic. */
  readonly at: number;
}

/**
 * Tracks since when the leader's record is unchanged. A leader may act for less than the `leaseTtl` of its record after it sent a
 * renewal, and this process sees a record only after it was written. So a process that replaces exactly this record after it has been
 * unchanged for that time never replaces a leader that may still act, whatever `leaseTtl` the process itself has. No wall clock and no
 * clock of the store is involved.
 */
export class LeaseWatch {
  /** A leader whose record the store has lost may act until then, even if another process holds the record now. Monotonic. */
  barredUntil = -Infinity;
  private seen: Sighting | undefined;
  /** What the store may have lost. */
  private readonly lease = new SeenLease();

  /** @param leaseTtl Of this process: it is to be assumed where neither the store nor another member says more. Milliseconds. */
  constructor(
    private readonly leaseTtl: number,
    private readonly clock: Clock,
  ) {}

  /** Another member has reported that this record is in the store. */
  heard({ id, term, revision, leaseTtl }: LeaderInfo): void {
    this.lease.saw(term, leaseTtl);
    if (id === 0) return;
    if (!this.seen || revision > this.seen.revision)
      this.seen = { key: keyOf(term, revision), revision, at: this.clock.now() };
  }

  /** Since when reads have found the store empty; `undefined` when it is not. Monotonic. */
  get emptySince(): number | undefined {
    return this.seen?.key === EMPTY ? this.seen.at : undefined;
  }

  /** Takes in what a read returned. Returns the monotonic time at which it may be replaced if it is unchanged by then. */
  saw({ text, record }: Look): number {
    const key = record ? keyOf(record.term, record.revision) : `text ${text}`;
    if (this.seen?.key !== key) this.seen = { key, revision: record?.revision ?? 0, at: this.clock.now() };
    if (!record) return this.seen.at + Math.max(this.leaseTtl, this.lease.validity);
    this.lease.saw(record.term, record.leaseTtl);
    // A leader that gave up no longer acts.
    return record.leader === null ? this.seen.at : this.seen.at + record.leaseTtl;
  }
}

const EMPTY = 'text null';

const keyOf = (term: number, revision: number) => `${term}:${revision}`;
