import type { AcquisitionReason, ElectionState, LossReason } from '../contract/election-backend.js';
import { Backoff } from '../util/backoff.js';
import { type Clock, type ClockInstant, deadlineAfter, instantOf, validityOf } from '../util/clock.js';
import type { ElectionTiming } from '../util/duration-problems.js';
import { toError } from '../util/to-error.js';
import { Condition } from '../util/condition.js';
import { bounded } from './bounded.js';
import type { CampaignMemory } from './campaign-memory.js';
import { ClaimName } from './claim-name.js';
import { Vacancy } from './vacancy.js';
import { Cooldown } from './cooldown.js';
import { FollowerReports } from './follower-reports.js';
import type { LeaseClaim, LeaseNews, LeaseStore, LeaseView, LeaseWatcher } from './lease-store.js';

/** Followers do not all try at the moment at which a lease ends. Milliseconds. */
const SPREAD = 200;

export interface LeaseCampaignOptions {
  /** Name of the store, for errors. */
  readonly name: string;
  readonly store: LeaseStore;
  readonly memory: CampaignMemory;
  readonly timing: ElectionTiming;
  /** How long the campaign waits for a call. Milliseconds. */
  readonly callTimeout: number;
  readonly candidateId: string;
  /** Ends the campaign. */
  readonly signal: AbortSignal;
  /** The part of `signal` that the reader of the states aborts. The reader does not need a final state. */
  readonly consumer: AbortSignal;
  readonly clock: Clock;
  /** Jitter, in [0, 1). */
  readonly random: () => number;
  /** The store is in this process, and keeps time by `clock`: no margin is kept for clocks that differ or for calls in flight. */
  readonly local?: boolean;
}

interface LeaseLeadership {
  readonly owner: string;
  readonly term: number;
  until: number;
}

/**
 * One candidate's campaign for a lease by compare-and-set: looks, takes it when it is free, renews it, and so on.
 *
 * The leader may act until `lockTtl`, less 2 % for clocks that run differently, after it *sent* its last renewal; the store counts from
 * when it got it. So the leader has stopped before the store gives the lease to another, even if processes freeze or messages are
 * late or lost.
 */
export class LeaseCampaign implements LeaseWatcher {
  private readonly condition: Condition;
  private readonly backoff: Backoff;
  private readonly claim: ClaimName;
  private readonly cooldown: Cooldown;
  private readonly vacancy = new Vacancy();
  private readonly reports = new FollowerReports();
  private readonly validity: number;
  private leadership: LeaseLeadership | undefined;
  private prepared = false;
  private failure: Error | undefined;
  /** When to renew or to look, monotonic. */
  private nextTurn = -Infinity;
  /** The lease may be free. */
  private free = true;
  /** How many changes were announced. */
  private changes = 0;
  /** A call that the store has not answered. Never rejects. */
  private calling: Promise<void> | undefined;

  constructor(private readonly options: LeaseCampaignOptions) {
    const { clock, random, memory, callTimeout, timing, local } = options;
    this.condition = new Condition(clock);
    this.backoff = new Backoff(random);
    this.claim = new ClaimName(memory.incarnation, clock, callTimeout);
    this.cooldown = new Cooldown(clock);
    this.validity = local ? timing.lockTtl : validityOf(timing.lockTtl);
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { signal, consumer, clock, store } = this.options;
    const unwatch = store.watch?.(this);
    try {
      while (!signal.aborted) {
        const { failure } = this;
        this.failure = undefined;
        if (failure) yield this.reports.failed(failure);
        else if (clock.now() < this.nextTurn) await this.condition.wait(this.nextTurn - clock.now(), signal);
        else {
          const state = await this.turn();
          if (state && !signal.aborted) yield state;
        }
      }
      // The current leader steps down when it reads this, before the store is updated.
      if (this.leadership && !consumer.aborted)
        yield { role: 'follower', leaderId: null, term: this.leadership.term };
    } finally {
      unwatch?.();
      await this.release();
    }
  }

  changed(news?: LeaseNews): void {
    const { memory, candidateId } = this.options;
    if (news && (this.leadership || news.term < memory.floor || news.leaderId === candidateId)) return;
    this.changes++;
    if (!this.leadership && !news?.leaderId) {
      this.free = true;
      // The store does not announce an expiry. News without details may be about this candidate's own claim, still in flight.
      if (news || !this.claim.sent) this.vacancy.released();
    }
    this.wake();
  }

  wake(): void {
    this.nextTurn = -Infinity;
    this.condition.notify();
  }

  failed(error: Error): void {
    this.failure = error;
    this.wake();
  }

  /** Gives up leadership, and lets the others go first. */
  async resign(): Promise<void> {
    if (!this.claim.sent) return;
    this.cooldown.begin();
    await this.release();
    this.vacancy.released();
    this.wake();
  }

  /** Gives up the claim, if one is held or may be. */
  private async release(): Promise<void> {
    this.abandon();
    await this.settle().catch(() => undefined);
  }

  private async turn(): Promise<ElectionState | undefined> {
    const { clock, timing, store } = this.options;
    const { leadership } = this;
    if (leadership && clock.now() >= leadership.until) return this.ended(leadership, 'expired');
    try {
      if (!this.prepared) await store.prepare?.();
      this.prepared = true;
      const state = leadership ? await this.renew(leadership) : await this.compete();
      this.backoff.reset();
      return state;
    } catch (error) {
      const pause = this.backoff.next(Math.min(timing.heartbeatInterval, timing.checkInterval));
      this.plan(clock.now() + pause);
      return this.reports.failed(toError(error));
    }
  }

  private async compete(): Promise<ElectionState | undefined> {
    const { store, clock, memory } = this.options;
    await this.settle();
    const { owner } = this.claim;
    const { changes } = this;
    const sent = instantOf(clock);
    const looks = this.cooldown.active || (!this.free && this.vacancy.mayBeHeld(sent.monotonic));
    const view = await this.call(() =>
      looks
        ? store.renew(this.wanted())
        : store.acquire({
            ...this.wanted(),
            floor: memory.floor,
            floorTtl: memory.validity,
            claimedFor: Math.ceil(this.claim.send()),
          }),
    );
    memory.saw(view.term, view.ttl);
    // Given up while the answer was in flight.
    if (this.claim.owner !== owner) return undefined;
    if (view.owner === owner) return this.begin(view.term, sent);
    const state = this.observe(view, sent, looks);
    // News received together with the answer is newer than the answer.
    if (changes !== this.changes) this.nextTurn = -Infinity;
    return state;
  }

  private begin(term: number, sent: ClockInstant): ElectionState {
    const { owner } = this.claim;
    this.leadership = { owner, term, until: -Infinity };
    this.reports.forget();
    return this.confirmed(this.leadership, sent, this.vacancy.taken(this.options.clock.now()));
  }

  private async renew(leadership: LeaseLeadership): Promise<ElectionState | undefined> {
    const { timing, store, candidateId, clock } = this.options;
    const sent = instantOf(clock);
    this.plan(sent.monotonic + timing.heartbeatInterval);
    const view = await this.call(() => store.renew(this.wanted()));
    if (this.leadership !== leadership) return undefined;
    const successor = view.successor ?? candidateId;
    if (view.owner !== leadership.owner || view.term !== leadership.term || successor !== candidateId)
      return this.ended(leadership, 'refused');
    return this.confirmed(leadership, sent);
  }

  private confirmed(
    leadership: LeaseLeadership,
    sent: ClockInstant,
    reason?: AcquisitionReason,
  ): ElectionState {
    const { timing, clock } = this.options;
    leadership.until = Math.max(leadership.until, deadlineAfter(sent, this.validity, clock));
    const { term, until } = leadership;
    if (reason) this.plan(sent.monotonic + timing.heartbeatInterval);
    const state = {
      role: 'leader',
      term,
      validUntil: until,
      leaseUntil: until,
      sentAt: sent.monotonic,
    } as const;
    return reason ? { ...state, reason } : state;
  }

  private ended({ term }: LeaseLeadership, reason: LossReason): ElectionState {
    // The next turn releases the claim in the store, after the leader has read this and stopped.
    this.abandon();
    this.free = true;
    this.wake();
    return this.reports.lost(null, term, reason);
  }

  private observe(view: LeaseView, sent: ClockInstant, looked: boolean): ElectionState | undefined {
    const { timing, clock, candidateId, memory, random, local } = this.options;
    const held = view.owner !== null && view.remaining > 0;
    if (held && this.claim.isLate(view.owner!)) {
      memory.releases.add(view.owner!);
      this.free = true;
      this.nextTurn = -Infinity;
      return undefined;
    }
    const spread = local ? 0 : 1 + random() * SPREAD;
    this.free = view.remaining <= 0 || (!held && view.successor === candidateId);
    if (this.free) this.nextTurn = looked ? this.cooldown.until : clock.now() + spread;
    else this.nextTurn = sent.monotonic + Math.min(timing.checkInterval, view.remaining + spread);
    if (held) {
      this.claim.refused();
      this.cooldown.end();
      this.vacancy.held(sent.monotonic + view.remaining);
    }
    return this.reports.follow(held ? view.leaderId : null, memory.floor);
  }

  /** Plans the next turn, at the latest at the end of the lease. */
  private plan(moment: number): void {
    this.nextTurn = Math.min(moment, this.leadership?.until ?? Infinity);
  }

  private abandon(): void {
    const owner = this.claim.abandon();
    if (owner !== undefined) this.options.memory.releases.add(owner);
    this.leadership = undefined;
    this.reports.forget();
  }

  private settle(): Promise<void> {
    const { memory, store } = this.options;
    return memory.releases.settle((owner) => this.call(() => store.release({ ...this.wanted(), owner })));
  }

  private async call<Result>(work: () => Promise<Result>): Promise<Result> {
    // An abandoned call may still be running. A second call beside it would make a slow store slower.
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
    const { name, callTimeout, clock } = this.options;
    return bounded(name, callTimeout, clock, call);
  }

  private wanted(): LeaseClaim {
    const { candidateId, timing } = this.options;
    return { owner: this.claim.owner, candidateId, ttl: timing.lockTtl };
  }
}
