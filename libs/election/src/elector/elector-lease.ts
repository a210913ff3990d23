import { setMaxListeners } from 'node:events';
import type { ElectionState, LossReason } from '../contract/election-backend.js';
import { LeadershipLostError } from '../contract/errors.js';
import type { Lease } from '../contract/lease.js';
import type { Clock } from '../util/clock.js';
import { toError } from '../util/to-error.js';
import { isInterruption } from './term-cleanup.js';

type Confirmation = Pick<Extract<ElectionState, { role: 'leader' }>, 'validUntil' | 'leaseUntil' | 'sentAt'>;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The {@link Lease} as its elector holds it: with the deadlines, and with the means to extend and to end it. */
export class ElectorLease implements Lease {
  private readonly controller = new AbortController();
  private readonly waiters: Waiter[] = [];
  private validUntil = -Infinity;
  private validUntilWall = -Infinity;
  private leaseUntil = -Infinity;
  private exclusive = -Infinity;
  private lossReason: LossReason | undefined;
  /** What hand-over waits for. */
  readonly work: LeaderWork;
  /** Whether its listeners know it as suspended. */
  suspended = false;

  /**
   * @param renewDeadline How long it is valid after a confirmation was sent. Milliseconds; `Infinity` for the whole lease.
   * @param workFailed Receives what work under it rejects with.
   */
  constructor(
    readonly term: number,
    private readonly clock: Clock,
    private readonly renewDeadline: number,
    workFailed: (error: Error) => void,
  ) {
    // All work of a leader listens to it: many listeners are no leak.
    setMaxListeners(0, this.controller.signal);
    this.work = new LeaderWork(this.controller.signal, workFailed);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get exclusiveUntil(): number {
    return this.exclusive;
  }

  isValid(): boolean {
    return this.clock.now() < this.validUntil && this.clock.wallNow() < this.validUntilWall;
  }

  ready(): Promise<void> {
    if (this.lossReason !== undefined)
      return Promise.reject(new LeadershipLostError(this.term, this.lossReason));
    if (this.isValid()) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  waitUntil(work: Promise<unknown>): void {
    this.work.add(work);
  }

  /** Whether the deadline of leadership itself has passed. A jump of the wall clock suspends, but does not end a lease. */
  isExpired(): boolean {
    return this.clock.now() >= this.leaseUntil;
  }

  /** The next moment at which something changes by itself, monotonic. */
  nextDeadline(): number {
    return this.clock.now() < this.validUntil ? this.validUntil : this.leaseUntil;
  }

  /** Takes over later deadlines; earlier ones are late replies and change nothing. */
  extend({ validUntil, leaseUntil, sentAt = this.clock.now() }: Confirmation): void {
    if (this.lossReason !== undefined) return;
    this.leaseUntil = Math.max(this.leaseUntil, leaseUntil);
    this.exclusive = Math.max(this.exclusive, validUntil);
    const until = Math.min(validUntil, sentAt + this.renewDeadline);
    if (until > this.validUntil) {
      this.validUntil = until;
      this.validUntilWall = until + this.clock.wallNow() - this.clock.now();
    }
    if (this.isValid()) for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** Stops validity until the next {@link extend}; leadership continues. */
  suspend(): void {
    this.validUntil = Math.min(this.validUntil, this.clock.now());
    this.exclusive = this.validUntil;
  }

  /** Ends it: first validity, then the signal, then those who wait. */
  end(reason: LossReason): void {
    if (this.lossReason !== undefined) return;
    this.lossReason = reason;
    this.validUntil = -Infinity;
    this.leaseUntil = -Infinity;
    const error = new LeadershipLostError(this.term, reason);
    this.controller.abort(error);
    for (const waiter of this.waiters.splice(0)) waiter.reject(error);
  }
}

/** Work under one lease that hand-over waits for. */
class LeaderWork {
  private readonly running = new Set<Promise<void>>();
  private idle: () => void = () => undefined;
  private open = true;

  /** @param failed Receives what work rejects with, unless it ended because `signal` aborted. */
  constructor(
    private readonly signal: AbortSignal,
    private readonly failed: (error: Error) => void,
  ) {}

  /** How much of it has not settled. */
  get pending(): number {
    return this.running.size;
  }

  /** Adds work to wait for, unless waiting is over. A rejection is always reported. */
  add(work: Promise<unknown>): void {
    const settled: Promise<void> = Promise.resolve(work).then(
      () => this.done(settled),
      (error: unknown) => {
        if (!isInterruption(error, this.signal)) this.failed(toError(error));
        this.done(settled);
      },
    );
    if (this.open) this.running.add(settled);
  }

  /**
   * Resolves when all work has settled, or after `timeout` ms. Work added later is not tracked.
   * @returns how much work was still running.
   */
  async drain(timeout: number, clock: Clock): Promise<number> {
    if (this.running.size > 0) await this.whenIdle(timeout, clock);
    const left = this.running.size;
    this.open = false;
    this.running.clear();
    return left;
  }

  private whenIdle(timeout: number, clock: Clock): Promise<void> {
    return new Promise((resolve) => {
      this.idle = () => {
        clock.clearTimeout(timer);
        resolve();
      };
      const timer = clock.setTimeout(this.idle, timeout);
    });
  }

  private done(settled: Promise<void>): void {
    if (this.running.delete(settled) && this.running.size === 0) this.idle();
  }
}
