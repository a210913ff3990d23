import type { HeldLease } from '../lease/lease-reply.js';

/**
 * A follower's memory of a leader that is absent. A leader may be replaced when `grace` has passed since the *receipt* of the
 * first look that showed exactly this owner, term and seq without its process.
 *
 * Why that is safe: seq rises with every confirmation, so an unchanged one means that the leader's last confirmation was
 * applied before the first look, and was sent earlier still. Its validity ends less than `grace` after it was sent, so before
 * the replacement. No clock is shared and no round trip is bounded. The store checks all of it again when it replaces.
 */
export class AbsenceWatch {
  private seen: HeldLease | undefined;
  private since = Infinity;
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
    this.since = Infinity;
  }

  /** When the leader may be replaced; `Infinity` while it is present. */
  get dueAt(): number {
    return this.since + this.grace;
  }

  /** The leader to replace, if it is time. */
  due(now: number): HeldLease | undefined {
    return now >= this.dueAt ? this.seen : undefined;
  }
}
