import { type Clock, type ClockInstant, deadlineAfter, LONGEST_LEASE } from '../../../util/clock.js';
import type { GrantedLease, HeldLease, LeaseMode, LeaseReply, ModeChange } from '../lease/lease-store.js';

/** How a confirmation ended. */
export interface Answer {
  readonly sent: ClockInstant;
  /** Number of the last change of mode requested by the time it was sent. */
  readonly change: number;
  readonly result: LeaseReply | Error;
}

export interface ClaimTimes {
  readonly lockTtl: number;
  /** How long a leader may act after it sent a confirmation, by mode. */
  readonly validity: Readonly<Record<LeaseMode, number>>;
}

/**
 * A lease that is held, with its deadlines: absolute, monotonic, counted from when a confirmation was *sent*, so that an
 * answer counts however late it comes.
 */
export class Claim {
  mode: LeaseMode = 'lease';
  validUntil = -Infinity;
  leaseUntil = -Infinity;
  /** When the confirmation that was granted last was sent. */
  sentAt = -Infinity;
  private confirmedFrom: ClockInstant | undefined;
  /** When to send the next confirmation. */
  sendAt = -Infinity;
  /** Confirmations in flight. */
  outstanding = 0;
  /** Answers not yet processed. */
  readonly answers: Answer[] = [];
  /** When it was first seen that validity had ended; `undefined` while valid. */
  suspendedSince: number | undefined;
  /** The mode that is requested and not yet granted. */
  wanted: LeaseMode | undefined;
  /** How many changes of mode were requested. */
  changes = 0;
  /** Whether the store sees this process, as of the last confirmation. */
  seen = false;
  /** The connection is newer than the last confirmation for which the store looked at its age. */
  reconnected = false;
  /** Problems that were reported and still persist. */
  readonly reported = new Set<string>();

  constructor(
    readonly owner: string,
    readonly term: number,
    private readonly times: ClaimTimes,
    private readonly clock: Clock,
  ) {}

  /** Whether validity may depend on presence. While a change is in flight it may, whichever mode is requested. */
  get restsOnPresence(): boolean {
    return this.mode === 'presence' || this.wanted !== undefined;
  }

  /** The change to ask for with the next confirmation. */
  get change(): ModeChange | undefined {
    return this.wanted && { mode: this.wanted, number: this.changes };
  }

  /** Asks for another mode from now on. An earlier change has no effect once the store has received this one. */
  want(mode: LeaseMode): void {
    this.wanted = mode;
    this.changes++;
  }

  /**
   * A confirmation sent at that moment was granted.
   * @param change Number of the last change of mode requested by then.
   */
  confirm(
    sent: ClockInstant,
    { mode, seen }: Pick<GrantedLease, 'mode' | 'seen'>,
    change: number = this.changes,
  ): void {
    const outdated = change < this.changes;
    if (!outdated) {
      this.mode = mode;
      if (mode === this.wanted) this.wanted = undefined;
    }
    this.seen = seen;
    const { validity, lockTtl } = this.times;
    const allowed = validity[outdated || this.restsOnPresence ? 'presence' : 'lease'];
    const from = deadlineAfter(sent, 0, this.clock);
    this.validUntil = Math.max(this.validUntil, from + allowed);
    this.leaseUntil = Math.max(this.leaseUntil, from + lockTtl);
    if (sent.monotonic > this.sentAt) this.confirmedFrom = sent;
    this.sentAt = Math.max(this.sentAt, sent.monotonic);
    this.reported.clear();
    this.suspendedSince = undefined;
  }

  /**
   * How long ago the last confirmation was sent, if a restarted store may have elected another candidate since and lost the record;
   * 0 while that is impossible. Milliseconds.
   */
  lapsedFor(): number {
    const now = this.clock.now();
    if (!this.reconnected || !this.confirmedFrom || now < this.validUntil) return 0;
    return now - deadlineAfter(this.confirmedFrom, 0, this.clock);
  }

  /** Ends validity now, until the next confirmation. */
  suspend(): void {
    this.validUntil = Math.min(this.validUntil, this.clock.now());
  }

  /** Whether a problem is new since the last confirmation; it is remembered. */
  isNews(problem: string): boolean {
    if (this.reported.has(problem)) return false;
    this.reported.add(problem);
    return true;
  }
}

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
    return this.since + Math.max(this.grace, this.seen.validity ?? LONGEST_LEASE);
  }

  /** The leader to replace, if it is time. */
  due(now: number): HeldLease | undefined {
    return now >= this.dueAt ? this.seen : undefined;
  }
}
