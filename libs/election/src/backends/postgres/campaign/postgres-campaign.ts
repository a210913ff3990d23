import { randomUUID } from 'node:crypto';
import type { ElectionState } from '../../../contract/election-state.js';
import type { AcquisitionReason, LossReason } from '../../../contract/reasons.js';
import { Backoff } from '../../../util/backoff.js';
import { deadlineAfter, instantOf } from '../../../util/clock-instant.js';
import { validityOf } from '../../../util/clock-rate.js';
import { toError } from '../../../util/to-error.js';
import { Waker } from '../../../util/waker.js';
import type { ResolvedPostgresElectionOptions } from '../postgres-election-options.js';
import type { LeaseNews, PostgresLeaseStore } from '../store/postgres-lease-store.js';

/** Followers do not all try at the same moment. Milliseconds. */
const CAMPAIGN_JITTER = 250;

/** Whoever resigned or gave up lets the others go first for this long. Milliseconds. */
const SIT_OUT = 1_000;

/** What outlives a campaign. */
export interface PostgresMemory {
  /** The highest term ever seen. */
  floor: number;
  /** Names under which a lease may be held that was given up. */
  readonly owed: Set<string>;
}

interface CampaignContext {
  readonly store: PostgresLeaseStore;
  readonly options: ResolvedPostgresElectionOptions;
  readonly memory: PostgresMemory;
  readonly candidateId: string;
  readonly signal: AbortSignal;
  /** The part of `signal` that comes from whoever reads the states, and so needs not be told. */
  readonly consumer: AbortSignal;
}

/**
 * One candidate's campaign: waits for a vacancy, takes the lease, renews it, and so on.
 *
 * Every claim has an owner name of its own: an acquisition whose answer was lost is repeated under the same name and yields the same
 * term, and a claim that has ended is never taken up again.
 */
export class PostgresCampaign {
  private readonly waker: Waker;
  private readonly backoff: Backoff;
  private owner = randomUUID();
  /** An acquisition under {@link owner} was sent. */
  private claimed = false;
  private term: number | undefined;
  private readonly news: ElectionState[] = [];
  private reported = '';
  /** When to renew or to look, monotonic. */
  private nextTurn = -Infinity;
  private vacant = true;
  /** How many releases were heard of. */
  private releases = 0;
  private sitOutUntil = -Infinity;
  /** Until when the last lease seen was to last, for ever once its release was heard; a vacancy before that is a release. */
  private heldUntil: number | undefined;

  constructor(private readonly context: CampaignContext) {
    const { clock, random } = context.options;
    this.waker = new Waker(clock);
    this.backoff = new Backoff(random);
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { signal, consumer, options } = this.context;
    const { clock } = options;
    try {
      while (!signal.aborted) {
        const heard = this.news.shift();
        if (heard) yield heard;
        else if (clock.now() < this.nextTurn) await this.waker.sleep(this.nextTurn - clock.now(), signal);
        else {
          const state = await this.turn();
          if (state && !signal.aborted) yield state;
        }
      }
      // Whoever leads by our word steps down when it reads this, which is before the store is told.
      if (this.term !== undefined && !consumer.aborted)
        yield { role: 'follower', leaderId: null, term: this.term };
    } finally {
      await this.release();
    }
  }

  /** Something was said about this election. */
  hear({ term, candidate }: LeaseNews): void {
    const { memory, candidateId } = this.context;
    if (this.term !== undefined || term < memory.floor || candidate === candidateId) return;
    if (candidate === null) {
      this.releases++;
      this.vacant = true;
      this.heldUntil = Infinity;
      this.turnNow();
    } else {
      this.sitOutUntil = -Infinity;
      // How long it lasts, the next look says.
      this.nextTurn = Math.min(this.nextTurn, this.context.options.clock.now() + CAMPAIGN_JITTER);
      this.push(this.known(candidate, term));
    }
  }

  /** Something may have happened that was not heard. */
  turnNow(): void {
    this.nextTurn = -Infinity;
    this.waker.wake();
  }

  /** The connection broke. */
  broken(error: Error): void {
    this.push(this.fail(error));
    this.turnNow();
  }

  async resign(): Promise<void> {
    if (!this.claimed) return;
    this.sitOutUntil = this.context.options.clock.now() + SIT_OUT;
    await this.release();
    this.heldUntil = Infinity;
    this.turnNow();
  }

  /** Gives up what is held, or may be. */
  async release(): Promise<void> {
    this.forsake();
    // Unheard, it is said again before the next attempt; or the lease runs out by itself.
    await this.payDebts().catch(() => undefined);
  }

  private async turn(): Promise<ElectionState | undefined> {
    const { store, options } = this.context;
    const { clock, checkInterval } = options;
    try {
      this.nextTurn = clock.now() + checkInterval;
      await store.prepare();
      await this.payDebts();
      const state = await this.act();
      this.backoff.reset();
      return state;
    } catch (error) {
      this.nextTurn = clock.now() + this.backoff.next(Math.min(checkInterval, options.heartbeatInterval));
      return this.fail(toError(error));
    }
  }

  private async act(): Promise<ElectionState | undefined> {
    const { store, options, memory, candidateId } = this.context;
    const { owner, term } = this;
    const sent = instantOf(options.clock);
    if (term !== undefined) {
      const renewed = await store.renew(owner, term);
      if (this.owner !== owner) return undefined;
      return renewed ? this.leader(sent, term) : this.refused(term);
    }
    if (!this.vacant || sent.monotonic < this.sitOutUntil) return this.look();
    this.claimed = true;
    const granted = await store.acquire(owner, candidateId, memory.floor);
    // Given up while the answer was under way.
    if (this.owner !== owner) return undefined;
    if (granted === undefined) return this.look();
    this.term = granted;
    memory.floor = Math.max(memory.floor, granted);
    // What was heard before is over.
    this.news.length = 0;
    this.reported = '';
    const reason = this.reason(sent.monotonic);
    return { ...this.leader(sent, granted), reason };
  }

  private leader(
    sent: ReturnType<typeof instantOf>,
    term: number,
  ): Extract<ElectionState, { role: 'leader' }> {
    const { clock, lockTtl, heartbeatInterval } = this.context.options;
    this.nextTurn = sent.monotonic + heartbeatInterval;
    const from = deadlineAfter(sent, 0, clock);
    return {
      role: 'leader',
      term,
      validUntil: from + validityOf(lockTtl),
      leaseUntil: from + lockTtl,
      sentAt: sent.monotonic,
    };
  }

  private reason(now: number): AcquisitionReason {
    const { heldUntil } = this;
    this.heldUntil = -Infinity;
    if (heldUntil === undefined) return 'vacant';
    return now < heldUntil ? 'released' : 'expired';
  }

  private async look(): Promise<ElectionState | undefined> {
    const { store, options } = this.context;
    const { clock, random, checkInterval } = options;
    const sent = clock.now();
    const { releases } = this;
    const { owner, candidateId, term, ttl } = await store.look();
    // A release that was heard with the answer came after it.
    this.vacant = owner === null || owner === this.owner || releases !== this.releases;
    if (this.vacant) {
      this.nextTurn = this.sitOutUntil;
      return this.known(null, term);
    }
    this.claimed = false;
    this.sitOutUntil = -Infinity;
    this.heldUntil = sent + ttl;
    this.nextTurn = sent + Math.min(checkInterval, ttl + 1 + random() * CAMPAIGN_JITTER);
    return this.known(candidateId, term);
  }

  /** The store says that the lease has ended. */
  private refused(term: number): ElectionState {
    this.forsake();
    this.vacant = true;
    this.turnNow();
    const reason: LossReason = 'refused';
    return { role: 'follower', leaderId: null, term, reason };
  }

  private forsake(): void {
    if (!this.claimed) return;
    this.context.memory.owed.add(this.owner);
    this.claimed = false;
    this.term = undefined;
    this.owner = randomUUID();
    this.reported = '';
  }

  private async payDebts(): Promise<void> {
    const { memory, store } = this.context;
    for (const owner of memory.owed) {
      await store.release(owner);
      memory.owed.delete(owner);
    }
  }

  private known(leaderId: string | null, term: number): ElectionState | undefined {
    const { memory } = this.context;
    memory.floor = Math.max(memory.floor, term);
    const report = `${memory.floor} ${leaderId}`;
    if (report === this.reported) return undefined;
    this.reported = report;
    return { role: 'follower', leaderId, term: memory.floor };
  }

  private fail(error: Error): ElectionState {
    this.reported = '';
    return { role: 'error', error };
  }

  private push(state: ElectionState | undefined): void {
    if (!state) return;
    this.news.push(state);
    this.waker.wake();
  }
}
