import { type Clock, type ClockInstant, deadlineAfter } from '../../../util/clock.js';
import type { GrantedLease, LeaseMode, LeaseReply, ModeChange } from '../lease/lease-store.js';
import type { ResolvedRedisElectionOptions } from '../redis-election-options.js';

/** How a confirmation ended. */
export interface Answer {
  readonly sent: ClockInstant;
  /** Number of the last change of mode requested by the time it was sent. */
  readonly change: number;
  readonly result: LeaseReply | Error;
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
  /** It was reported that the store does not see this process, and still does not. */
  unseenReported = false;

  constructor(
    readonly owner: string,
    readonly term: number,
    private readonly times: Pick<ResolvedRedisElectionOptions, 'lockTtl' | 'validity'>,
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
    this.unseenReported = false;
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
}
