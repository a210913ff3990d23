import type { Candidate, ElectionBackend, ElectionState, LossReason } from '../contract/election-backend.js';
import { ElectionProtocolError, type ElectorGaveUpError } from '../contract/errors.js';
import type { Lease } from '../contract/lease.js';
import type { Clock, TimerHandle } from '../util/clock.js';
import { SafeEmitter } from '../util/safe-emitter.js';
import { toError } from '../util/to-error.js';
import { TermCleanup } from './term-cleanup.js';
import { type ElectorEvents, type ElectorOptions, resolveElectorOptions } from './elector-options.js';
import { HandlerLoop } from './handler-loop.js';
import { ElectorLease } from './elector-lease.js';

/** Jumps of the wall clock fire no timer: they are looked for this often while leading. Milliseconds. */
const WALL_CLOCK_LOOK = 1_000;

type LeaderState = Extract<ElectionState, { role: 'leader' }>;
type FollowerState = Extract<ElectionState, { role: 'follower' }>;

/**
 * Competes in an election and turns what its backend reports into terms.
 *
 * It fences itself: at the deadline of the lease it steps down without asking the store. Later reports of the backend cannot
 * revive the term. The campaign then starts again, so that the store forgets the old claim.
 *
 * After a term this candidate leads again only when work under its lease is over, at most after `handoverTimeout`, and its end
 * handler has succeeded. Until then it does not compete and others can lead. Only a leader that hands over keeps the record
 * until work is over.
 */
export class Elector extends SafeEmitter<ElectorEvents> {
  private readonly backend: ElectionBackend;
  private readonly candidate: Candidate;
  private readonly clock: Clock;
  private readonly renewDeadline: number;
  private readonly handlers: HandlerLoop;
  private readonly cleanup: TermCleanup;
  private round = new AbortController();
  private running: Promise<void> | undefined;
  private held: ElectorLease | undefined;
  private lastTerm = 0;
  private follower: { leaderId: string | null; term: number } = { leaderId: null, term: 0 };
  private failing = false;
  /** Calls of `stop` in progress. */
  private stops = 0;
  private timer: TimerHandle | undefined;

  /** Throws a `RangeError` when a duration is out of range. */
  constructor(options: ElectorOptions) {
    super();
    const { backend, candidate, clock, handlers, renewDeadline, ...durations } =
      resolveElectorOptions(options);
    this.backend = backend;
    this.candidate = candidate;
    this.clock = clock;
    this.renewDeadline = renewDeadline;
    const report = (error: Error) => this.fire('error', error);
    this.handlers = new HandlerLoop({
      handlers,
      clock,
      report,
      beginFailed: (error) => this.fail(error, 'failed', () => this.backend.resign()),
    });
    this.cleanup = new TermCleanup({
      ...durations,
      handlers: this.handlers,
      clock,
      leave: () => this.round.abort(),
      report,
      gaveUp: (error) => this.giveUp(error),
    });
  }

  /** The current term of this candidate, also while it is suspended; `null` when it does not lead. */
  get lease(): Lease | null {
    return this.held && !this.held.isExpired() ? this.held : null;
  }

  /** Id of the leader, as far as this candidate knows. */
  get leaderId(): string | null {
    return this.lease ? this.candidate.id : this.follower.leaderId;
  }

  /** The highest term this candidate has seen; 0 before the first. */
  get term(): number {
    return Math.max(this.lastTerm, this.follower.term);
  }

  /**
   * Begins to compete.
   * @throws ElectorGaveUpError when it has given up, and an `Error` when it was started already or {@link stop} is in progress.
   */
  start(): void {
    if (this.cleanup.error) throw this.cleanup.error;
    if (this.stops > 0) throw new Error('the elector is being stopped: start it when stop() has resolved');
    if (this.running) throw new Error('the elector was started already: stop it before it is started again');
    this.running = this.compete().finally(() => (this.running = undefined));
  }

  /**
   * Steps down, waits for work under the lease, and ends the campaign. Resolves when the store has released the lease or could not
   * be reached, and the end handler has succeeded or the elector has given up. Handlers and work must not wait for this call,
   * because it waits for them.
   */
  async stop(): Promise<void> {
    this.stops++;
    this.lose('stopped', () => this.round.abort());
    // Called by a listener of `lost`, the term is wound up only when all listeners have been called.
    await Promise.resolve();
    await this.cleanup.recorded;
    this.round.abort();
    this.cleanup.hurry = true;
    await this.running;
    await this.cleanup.settled();
    this.cleanup.hurry = false;
    this.stops--;
  }

  /**
   * Steps down, waits for work under the lease, then releases the lease in the store and resolves. The elector keeps competing,
   * after it has given the others a chance.
   */
  async resign(): Promise<void> {
    this.lose('resigned', () => this.backend.resign());
    await (this.cleanup.recorded ?? this.backend.resign());
  }

  private async compete(): Promise<void> {
    for (;;) {
      await this.cleanup.settled();
      if (this.stops > 0 || this.cleanup.error) return;
      this.round = new AbortController();
      const { signal } = this.round;
      try {
        for await (const state of this.backend.campaign(this.candidate, signal)) {
          this.apply(state);
          if (signal.aborted) break;
        }
        // Only a backend that was closed ends a campaign by itself.
        if (!signal.aborted) {
          this.lose('refused');
          return;
        }
      } catch (error) {
        this.fail(toError(error), 'refused');
      }
    }
  }

  private apply(state: ElectionState): void {
    this.settle();
    if (this.round.signal.aborted) return;
    if (state.role === 'error') {
      this.failing = true;
      this.fire('error', state.error);
      return;
    }
    if (this.failing) {
      this.failing = false;
      this.fire('recovered');
    }
    if (state.role === 'leader') this.lead(state);
    else if (state.role === 'suspended') this.suspend(state.term);
    else this.follow(state);
    this.arm();
  }

  private lead(state: LeaderState): void {
    if (this.held && this.held.term !== state.term) this.lose('superseded');
    if (this.held) {
      this.held.extend(state);
      if (this.held.suspended && this.held.isValid()) {
        this.held.suspended = false;
        this.fire('resumed', { term: state.term });
      }
      return;
    }
    // A reply that was in flight when the term ended.
    if (state.term === this.lastTerm) return;
    if (state.term < this.lastTerm)
      throw new ElectionProtocolError(this.backend.name, this.lastTerm, state.term);
    // Won before the last term has wound up: leave it to another candidate, or to this one later.
    if (this.cleanup.pending) return this.round.abort();
    const held = new ElectorLease(state.term, this.clock, this.renewDeadline, (error) =>
      this.fire('error', error),
    );
    held.extend(state);
    if (held.isExpired()) {
      this.round.abort();
      return;
    }
    this.held = held;
    this.lastTerm = state.term;
    this.fire('acquired', { term: state.term, reason: state.reason ?? 'vacant' });
    // A listener may have given it up again.
    if (this.held === held) this.handlers.begin(held);
    this.settle();
  }

  private suspend(term: number): void {
    if (this.held?.term !== term) return;
    this.held.suspend();
    this.settle();
  }

  private follow({ leaderId, term, reason = 'refused' }: FollowerState): void {
    this.lose(reason);
    if (this.follower.leaderId === leaderId && this.follower.term === term) return;
    this.follower = { leaderId, term };
    this.fire('follower', { leaderId, term });
  }

  /** Lets happen what the clock alone has decided. */
  private settle(): void {
    if (!this.held) return;
    if (this.held.isExpired()) {
      this.lose('expired');
      this.round.abort();
    } else if (this.held.suspended || this.held.isValid()) {
      return;
    } else if (this.renewDeadline < Infinity) {
      this.lose('unconfirmed', () => this.backend.resign());
    } else {
      this.held.suspended = true;
      this.fire('suspended', { term: this.held.term });
    }
  }

  /**
   * Ends the term, if there is one.
   * @param release Releases the lease in the store once work under it is over. Omitted if the store already knows of the loss.
   */
  private lose(reason: LossReason, release?: () => void | Promise<void>): void {
    const held = this.held;
    if (!held) return;
    this.held = undefined;
    this.follower = { leaderId: null, term: held.term };
    held.end(reason);
    this.arm();
    this.fire('lost', { term: held.term, reason });
    this.cleanup.begin(held, reason, release);
  }

  private fail(error: Error, reason: LossReason, release?: () => Promise<void>): void {
    this.lose(reason, release);
    this.fire('error', error);
    this.cleanup.fail(error);
  }

  private giveUp(error: ElectorGaveUpError): void {
    if (this.listenerCount('gave-up') > 0) return this.fire('gave-up', error);
    // This process may still act as leader, and no other process can notice that. It must not continue unnoticed.
    queueMicrotask(() => {
      throw error;
    });
  }

  private arm(): void {
    this.clock.clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.held) return;
    const delay = Math.min(this.held.nextDeadline() - this.clock.now(), WALL_CLOCK_LOOK);
    this.timer = this.clock.setTimeout(
      () => {
        this.settle();
        this.arm();
      },
      Math.max(1, Math.ceil(delay)),
    );
  }

  protected unheard(): void {}
}
