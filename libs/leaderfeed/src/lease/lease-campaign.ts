import { randomUUID } from 'node:crypto';
import type { AcquisitionReason, Clock, ElectionState, LossReason } from '@detector-cluster/election';
import {
  deadlineAfter,
  instantOf,
  toError,
  validityOf,
  Waker,
  type ClockInstant,
} from '@detector-cluster/election/util';
import { bounded } from './bounded.js';
import type { LeaseClaim, LeaseStore, LeaseView, NewLeaseClaim } from './lease-store.js';
import { callTimeoutOf, type LeaseTiming } from './lease-timing.js';

/** Whoever gave up lets the others go first for this long. Milliseconds. */
const SIT_OUT = 1_000;

/** Followers do not all come at the moment at which a lease ends. Milliseconds. */
const JITTER = 200;

/** How long to wait after the first failure. Milliseconds. */
const FIRST_RETRY = 25;

export interface LeaseCampaignOptions {
  /** Name of the store, for errors. */
  readonly name: string;
  readonly lease: LeaseStore;
  readonly timing: LeaseTiming;
  readonly candidateId: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The part of `signal` that comes from whoever reads the states, and so needs not be told. */
  readonly consumer: AbortSignal;
  /** The highest term that is known. */
  readonly floor: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/** How a tenure ended; `undefined` when the campaign did, or when it was resigned. */
type Ending = LossReason | undefined;

/**
 * One candidate's campaign for a lease by compare-and-set: looks, takes it when it is free, renews it, and so on.
 *
 * The leader may act until `lockTtl`, less 2 % for clocks that run differently, after it *sent* its last renewal; the store counts from
 * when it got it. So it has stopped before the store gives the lease to anyone else, whatever was frozen, late or lost.
 */
export class LeaseCampaign {
  /** The highest term that was heard of. */
  term: number;
  private readonly waker: Waker;
  private owner = '';
  /** When the lease was claimed for {@link owner} for the first time. */
  private claimedAt: ClockInstant | undefined;
  private leading = false;
  /** Whether the store may hold a lease for the owner. */
  private claimed = false;
  /** A call that the store has not answered. Never rejects. */
  private calling: Promise<void> | undefined;
  private renewAt = 0;
  private failures = 0;
  private wait = 0;
  private reported = '';
  private sitOutUntil = -Infinity;
  /** When the lease of another was to end as far as it was known, never once it has changed; `undefined` before one was seen. */
  private heldUntil: number | undefined;

  constructor(private readonly options: LeaseCampaignOptions) {
    this.term = options.floor;
    this.waker = new Waker(options.clock);
  }

  /** The feed told of a change. */
  changed(): void {
    // An expiry is not told: when nobody holds it then, it was released. Unless what is told of is this candidate's own claim,
    // whose answer is still under way.
    if (!this.claimed) this.heldUntil = Infinity;
    this.wake();
  }

  /** Something may have changed. */
  wake(): void {
    this.renewAt = -Infinity;
    this.waker.wake();
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { signal, consumer, clock } = this.options;
    try {
      while (!signal.aborted) {
        const sent = instantOf(clock);
        const result = await this.look(sent);
        if (result instanceof Error) {
          yield { role: 'error', error: result };
          this.reported = '';
        } else if (result.owner === this.owner) {
          yield* this.tenure(result.term, sent);
          continue;
        } else {
          const state = this.observe(result, sent);
          if (state) yield state;
        }
        await this.waker.sleep(this.wait, signal);
      }
      // Whoever leads by our word steps down when it reads this, which is before the store is told.
      if (this.leading && !consumer.aborted) yield this.follower(null, this.term);
    } finally {
      if (this.claimed) await this.release();
    }
  }

  /** Gives up leadership, and lets the others go first. */
  async resign(): Promise<void> {
    if (!this.leading) return;
    this.sitOut();
    await this.release();
    this.waker.wake();
  }

  private async look(sent: ClockInstant): Promise<LeaseView | Error> {
    const { lease } = this.options;
    const sittingOut = sent.monotonic < this.sitOutUntil;
    if (!sittingOut && this.owner === '') {
      this.owner = randomUUID();
      this.claimedAt = undefined;
    }
    const { owner, term: floor } = this;
    this.claimed = !sittingOut;
    try {
      const view = await this.call(() =>
        sittingOut ? lease.renew(this.claim()) : lease.acquire(this.newClaim(floor)),
      );
      this.failures = 0;
      this.claimed = view.owner === owner;
      if (this.claimed) {
        this.leading = true;
        this.renewAt = sent.monotonic + this.options.timing.heartbeatInterval;
      }
      return view;
    } catch (error) {
      return this.failed(error);
    }
  }

  private async *tenure(term: number, acquired: ClockInstant): AsyncGenerator<ElectionState> {
    const { clock, signal } = this.options;
    this.reported = '';
    this.term = Math.max(this.term, term);
    let leaseUntil = this.deadline(acquired);
    yield this.leader(term, leaseUntil, acquired, this.reason());
    let ending: Ending;
    while (this.leading && !signal.aborted && !ending) {
      const now = clock.now();
      if (now >= leaseUntil) ending = 'expired';
      else if (now < this.renewAt) await this.waker.sleep(Math.min(this.renewAt, leaseUntil) - now, signal);
      else {
        const sent = instantOf(clock);
        const result = await this.renew(sent, term);
        if (!this.leading) break;
        if (result instanceof Error) yield { role: 'error', error: result };
        else if (result === true) {
          leaseUntil = Math.max(leaseUntil, this.deadline(sent));
          yield this.leader(term, leaseUntil, sent);
        } else ending = 'refused';
      }
    }
    if (!ending || !this.leading) return;
    yield { ...this.follower(null, term), reason: ending };
    // Not before the leader has stopped. The next claim is another's, so that nothing that comes late belongs to it.
    if (ending === 'refused') this.sitOut();
    await this.release();
  }

  /** @returns whether the lease goes on. */
  private async renew(sent: ClockInstant, term: number): Promise<boolean | Error> {
    const { timing, lease, candidateId } = this.options;
    this.renewAt = sent.monotonic + timing.heartbeatInterval;
    try {
      const view = await this.call(() => lease.renew(this.claim()));
      this.failures = 0;
      const successor = view.successor !== null && view.successor !== candidateId;
      return view.owner === this.owner && view.term === term && !successor;
    } catch (error) {
      const failure = this.failed(error);
      this.renewAt = this.options.clock.now() + this.wait;
      return failure;
    }
  }

  private observe(view: LeaseView, sent: ClockInstant): ElectionState | undefined {
    const { timing, clock, random } = this.options;
    this.term = Math.max(this.term, view.term);
    const held = view.owner !== null && view.remaining > 0;
    this.wait = timing.checkInterval;
    if (held) {
      this.heldUntil = sent.monotonic + view.remaining;
      this.sitOutUntil = -Infinity;
    }
    if (view.remaining > 0) this.wait = Math.min(this.wait, view.remaining + 1 + random() * JITTER);
    else this.wait = Math.max(1, Math.min(this.wait, this.sitOutUntil - clock.now()));
    const leaderId = held ? view.leaderId : null;
    const report = `${view.term} ${leaderId}`;
    if (report === this.reported) return undefined;
    this.reported = report;
    return this.follower(leaderId, view.term);
  }

  private failed(error: unknown): Error {
    const { timing, random } = this.options;
    const longest = Math.min(timing.heartbeatInterval, 1_000);
    this.wait = Math.min(FIRST_RETRY * 2 ** Math.min(this.failures++, 10), longest) * (0.5 + random());
    return toError(error);
  }

  private reason(): AcquisitionReason {
    const { heldUntil } = this;
    this.heldUntil = undefined;
    if (heldUntil === undefined) return 'vacant';
    // By now, and not when it was asked for: that may have been under way when the lease ended.
    return this.options.clock.now() < heldUntil ? 'released' : 'expired';
  }

  private sitOut(): void {
    this.sitOutUntil = this.options.clock.now() + SIT_OUT;
  }

  /** Tells the store, if it can be told; otherwise the lease runs out. */
  private async release(): Promise<void> {
    const claim = this.claim();
    this.leading = false;
    this.claimed = false;
    this.owner = '';
    await this.call(() => this.options.lease.release(claim)).catch(() => undefined);
  }

  private async call<Result>(work: () => Promise<Result>): Promise<Result> {
    // One that was given up may go on: another beside it would make a slow store slower.
    if (this.calling) await this.bounded(this.calling);
    const call = work();
    const over = () => {
      if (this.calling === settled) this.calling = undefined;
    };
    const settled: Promise<void> = call.then(over, over);
    this.calling = settled;
    return this.bounded(call);
  }

  private bounded<Result>(call: Promise<Result>): Promise<Result> {
    const { name, timing, clock } = this.options;
    return bounded(name, callTimeoutOf(timing.lockTtl), clock, call);
  }

  private newClaim(floor: number): NewLeaseClaim {
    const { clock, timing } = this.options;
    // It may still be some time until it is sent, and applied.
    const claimedFor = this.claimedAt
      ? clock.now() - deadlineAfter(this.claimedAt, 0, clock) + 2 * callTimeoutOf(timing.lockTtl)
      : 0;
    this.claimedAt ??= instantOf(clock);
    return { ...this.claim(), floor, claimedFor };
  }

  private claim(): LeaseClaim {
    return { owner: this.owner, candidateId: this.options.candidateId, ttl: this.options.timing.lockTtl };
  }

  private deadline(sent: ClockInstant): number {
    return deadlineAfter(sent, validityOf(this.options.timing.lockTtl), this.options.clock);
  }

  private leader(
    term: number,
    until: number,
    { monotonic: sentAt }: ClockInstant,
    reason?: AcquisitionReason,
  ): ElectionState {
    return { role: 'leader', term, validUntil: until, leaseUntil: until, sentAt, ...(reason && { reason }) };
  }

  private follower(leaderId: string | null, term: number): Extract<ElectionState, { role: 'follower' }> {
    return { role: 'follower', leaderId, term };
  }
}
