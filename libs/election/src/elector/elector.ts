import type { Candidate } from '../contract/candidate.js';
import type { ElectionBackend } from '../contract/election-backend.js';
import type { ElectionState } from '../contract/election-state.js';
import { ElectionProtocolError, HandoverTimeoutError } from '../contract/errors.js';
import type { Lease } from '../contract/lease.js';
import type { LossReason } from '../contract/reasons.js';
import { systemClock, type Clock, type TimerHandle } from '../util/clock.js';
import { SafeEmitter } from '../util/safe-emitter.js';
import { toError } from '../util/to-error.js';
import type { ElectorEvents } from './elector-events.js';
import { Tenure } from './tenure.js';

export interface ElectorOptions {
  /** Where the election takes place. The elector does not close it. */
  readonly backend: ElectionBackend;
  readonly candidate: Candidate;
  /** How long hand-over waits for work under the lease, see `Lease.waitUntil`. Milliseconds, default 5,000. */
  readonly handoverTimeout?: number;
  readonly clock?: Clock;
}

const HANDOVER_TIMEOUT = 5_000;

/** Jumps of the wall clock fire no timer: they are looked for this often while leading. Milliseconds. */
const WALL_CLOCK_LOOK = 1_000;

/** Pause before the next campaign after one that broke. Milliseconds. */
const CAMPAIGN_PAUSE = 1_000;

type LeaderState = Extract<ElectionState, { role: 'leader' }>;
type FollowerState = Extract<ElectionState, { role: 'follower' }>;

/**
 * Competes in an election and turns what its backend reports into tenures.
 *
 * It fences itself: at the deadline of the lease it steps down without asking anyone, and what a backend reports after
 * that deadline cannot revive the tenure. The campaign then starts anew, so that the store forgets the old claim.
 */
export class Elector extends SafeEmitter<ElectorEvents> {
  private readonly backend: ElectionBackend;
  private readonly candidate: Candidate;
  private readonly clock: Clock;
  private readonly handoverTimeout: number;
  private round = new AbortController();
  private running: Promise<void> | undefined;
  private tenure: Tenure | undefined;
  /** The last tenure is being wound up: no other one begins before that is done. */
  private handover: Promise<void> | undefined;
  private lastTerm = 0;
  private follower: { leaderId: string | null; term: number } = { leaderId: null, term: 0 };
  private failing = false;
  private stopping = false;
  private timer: TimerHandle | undefined;

  constructor(options: ElectorOptions) {
    super();
    this.backend = options.backend;
    this.candidate = options.candidate;
    this.clock = options.clock ?? systemClock;
    this.handoverTimeout = options.handoverTimeout ?? HANDOVER_TIMEOUT;
  }

  /** The current tenure of this candidate, also while it is suspended; `null` when it does not lead. */
  get lease(): Lease | null {
    return this.tenure && !this.tenure.isExpired() ? this.tenure : null;
  }

  /** Id of the leader, as far as this candidate knows. */
  get leaderId(): string | null {
    return this.lease ? this.candidate.id : this.follower.leaderId;
  }

  /** The highest term this candidate has seen; 0 before the first. */
  get term(): number {
    return Math.max(this.lastTerm, this.follower.term);
  }

  /** Begins to compete. Does nothing when it already does. */
  start(): void {
    this.running ??= this.compete().finally(() => (this.running = undefined));
  }

  /**
   * Steps down, waits for work under the lease, ends the campaign and resolves when the store has been told, or could not be.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    this.lose('stopped', () => this.round.abort());
    await this.handover;
    this.round.abort();
    await this.running;
    this.stopping = false;
  }

  /**
   * Steps down, waits for work under the lease, then tells the store. Goes on competing, after it has given the others a
   * chance.
   */
  async resign(): Promise<void> {
    this.lose('resigned', () => this.backend.resign());
    await (this.handover ?? this.backend.resign());
  }

  private async compete(): Promise<void> {
    while (!this.stopping) {
      await this.handover;
      if (this.stopping) return;
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
        this.lose('refused');
        this.fire('error', toError(error));
        await this.pause(signal);
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
    if (this.tenure && this.tenure.term !== state.term) this.lose('superseded');
    if (this.tenure) {
      this.tenure.extend(state.validUntil, state.leaseUntil);
      if (this.tenure.suspended && this.tenure.isValid()) {
        this.tenure.suspended = false;
        this.fire('resumed', { term: state.term });
      }
      return;
    }
    // A reply that was under way when the tenure ended.
    if (state.term === this.lastTerm) return;
    if (state.term < this.lastTerm)
      throw new ElectionProtocolError(this.backend.name, this.lastTerm, state.term);
    // Won while old work goes on: somebody else shall lead, or this candidate later.
    if (this.handover) return this.round.abort();
    const tenure = new Tenure(state.term, this.clock, (error) => this.fire('error', error));
    tenure.extend(state.validUntil, state.leaseUntil);
    if (tenure.isExpired()) {
      this.round.abort();
      return;
    }
    this.tenure = tenure;
    this.lastTerm = state.term;
    this.fire('acquired', { term: state.term, reason: state.reason ?? 'vacant' });
    this.settle();
  }

  private suspend(term: number): void {
    if (this.tenure?.term !== term) return;
    this.tenure.suspend();
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
    if (!this.tenure) return;
    if (this.tenure.isExpired()) {
      this.lose('expired');
      this.round.abort();
    } else if (!this.tenure.suspended && !this.tenure.isValid()) {
      this.tenure.suspended = true;
      this.fire('suspended', { term: this.tenure.term });
    }
  }

  /**
   * Ends the tenure, if there is one.
   * @param release How the store is told once work under the lease is over; without it the store knows.
   */
  private lose(reason: LossReason, release?: () => void | Promise<void>): void {
    const tenure = this.tenure;
    if (!tenure) return;
    this.tenure = undefined;
    this.follower = { leaderId: null, term: tenure.term };
    tenure.end(reason);
    this.arm();
    this.fire('lost', { term: tenure.term, reason });
    if (tenure.work.pending === 0 && !release) return;
    // Without a campaign nothing is won, and nobody is kept from leading, while this goes on.
    if (!release) this.round.abort();
    const handover = this.handOver(tenure, release).finally(() => {
      if (this.handover === handover) this.handover = undefined;
    });
    this.handover = handover;
  }

  private async handOver(tenure: Tenure, release?: () => void | Promise<void>): Promise<void> {
    const { term, work } = tenure;
    if (work.pending > 0) {
      const left = await work.drain(this.handoverTimeout, this.clock);
      if (left > 0) this.fire('error', new HandoverTimeoutError(term, left, this.handoverTimeout));
    }
    await release?.();
  }

  private arm(): void {
    this.clock.clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.tenure) return;
    const delay = Math.min(this.tenure.nextDeadline() - this.clock.now(), WALL_CLOCK_LOOK);
    this.timer = this.clock.setTimeout(
      () => {
        this.settle();
        this.arm();
      },
      Math.max(1, Math.ceil(delay)),
    );
  }

  private pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.clock.clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.clock.setTimeout(done, CAMPAIGN_PAUSE);
      if (signal.aborted) done();
      else signal.addEventListener('abort', done);
    });
  }

  protected unheard(): void {}
}
