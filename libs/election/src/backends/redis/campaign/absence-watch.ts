import { MAX_LEASE } from '../../../util/clock.js';
import type { HeldLease } from '../lease/lease-store.js';

/**
 * A follower's memory of a leader that is absent. A leader may be replaced when `grace`, and the validity that its record states, have
 * passed since the *receipt* of the first look that showed exactly this owner, term and seq without its process.
 *
 * Why that is safe: seq rises with every confirmation, so an unchanged one means that the leader's last confirmation was
 * applied before the first look, and was sent earlier still. Its validity ends before the stated time has passed since then, so before
 * the replacement. The leader itself states it: the options of the follower do not matter. A leader that changes it raises seq. A leader that
 * does not state it is replaced when its record expires, or after an hour. No clock
 * is shared and no round trip is bounded. The store checks owner, term and seq again when it replaces.
 */
export class AbsenceWatch {
  private seen: HeldLease | undefined;
  private since = -Infinity;
  private blindUntil = -Infinity;

  constructor(private readonly grace: number) {}

  /**
   * Absences before `until` do not count, unless the leader has been seen since: after a restart of the store the processes
   * reconnect one by one.
   */
  ignoreUntil(until: number): void {
    this.blindUntil = until;
    this.forget();
  }

  observe(lease: HeldLease, receivedAt: number): void {
    if (lease.mode !== 'presence') return this.forget();
    if (!lease.absent) {
      this.blindUntil = -Infinity;
      return this.forget();
    }
    if (receivedAt < this.blindUntil) return this.forget();
    const { seen } = this;
    if (seen?.owner === lease.owner && seen.term === lease.term && seen.seq === lease.seq) return;
    this.seen = lease;
    this.since = receivedAt;
  }

  forget(): void {
    this.seen = undefined;
  }

  /** When the leader may be replaced; `Infinity` while it is present. */
  get dueAt(): number {
    if (!this.seen) return Infinity;
    return this.since + Math.max(this.grace, this.seen.validity ?? MAX_LEASE);
  }

  /** The leader to replace, if it is time. */
  due(now: number): HeldLease | undefined {
    return now >= this.dueAt ? this.seen : undefined;
  }
}
