import type { Candidate } from '../../contract/candidate.js';
import type { ElectionState } from '../../contract/election-state.js';
import { StoreRestartedError } from '../../contract/errors.js';
import type { AcquisitionReason } from '../../contract/reasons.js';
import { deadlineAfter, instantOf } from '../../util/clock-instant.js';
import { Waker } from '../../util/waker.js';
import { candidateOfOwner } from './election-keys.js';
import type { ElectionNews } from './election-news.js';
import type { LeaseReply, LeaseStore } from './lease-store.js';
import type { ResolvedRedisElectionOptions } from './redis-election-options.js';

/** Followers do not all try at the same moment. Milliseconds. */
const CAMPAIGN_JITTER = 250;

/** Whoever resigned lets the others go first for this long. Milliseconds. */
const SIT_OUT = 1_000;

const FIRST_RETRY = 50;

// Two backends in one process must never campaign under the same name, whoever the candidate is.
let campaigns = 0;

interface Claim {
  readonly term: number;
  leaseUntil: number;
  renewAt: number;
}

/**
 * One candidate's campaign on a lease record: waits for a vacancy, takes it, renews it, and so on.
 *
 * Every claim to the lease has an owner name of its own, `<candidate id>:<number>`. An acquisition whose reply was lost
 * is repeated under the same name and so yields the same term; a claim that has ended is never taken up again.
 */
export class RedisCampaign {
  private owner: string;
  /** An acquisition under {@link owner} was sent, so that the store may hold a record of it. */
  private claimed = false;
  private claim: Claim | undefined;
  private floor = 0;
  private failures = 0;
  /** How long to sleep before the next attempt, ms. */
  private wait = 0;
  private reported = '';
  /** Until when the last lease seen was to last; `undefined` before the first. A vacancy before that is a release. */
  private heldUntil: number | undefined;
  private sitOutUntil = -Infinity;
  private readonly waker: Waker;

  constructor(
    private readonly store: LeaseStore,
    private readonly options: ResolvedRedisElectionOptions,
    private readonly candidate: Candidate,
    private readonly signal: AbortSignal,
    /** The part of {@link signal} that comes from whoever reads the states, and so needs not be told. */
    private readonly consumer: AbortSignal = signal,
  ) {
    this.waker = new Waker(options.clock);
    this.owner = this.nextOwner();
  }

  async *states(): AsyncGenerator<ElectionState> {
    try {
      while (!this.signal.aborted) {
        const state = await (this.claim ? this.renew(this.claim) : this.compete());
        if (state) yield state;
      }
      // Whoever leads by our word steps down when it reads this, which is before the store is told.
      if (this.claim && !this.consumer.aborted) yield { role: 'follower', leaderId: null, term: this.floor };
    } finally {
      await this.release();
    }
  }

  /** Something was announced. */
  hear(news: ElectionNews): void {
    if (news.owner !== this.owner) this.lookAgain();
  }

  /** The connection is back, or something may have happened that was not heard. */
  lookAgain(): void {
    if (this.claim) this.claim.renewAt = -Infinity;
    this.waker.wake();
  }

  async resign(): Promise<void> {
    if (!this.claimed) return;
    this.sitOutUntil = this.options.clock.now() + SIT_OUT;
    await this.release();
    this.heldUntil = Infinity;
    this.waker.wake();
  }

  /** Gives up what is held, or may be. */
  async release(): Promise<void> {
    const owner = this.owner;
    if (!this.claimed) return;
    this.claim = undefined;
    this.claimed = false;
    this.owner = this.nextOwner();
    // Unheard, the lease runs out by itself.
    await this.store.release(owner).catch(() => undefined);
  }

  private async compete(): Promise<ElectionState | undefined> {
    await this.waker.sleep(this.wait, this.signal);
    if (this.signal.aborted) return undefined;
    const { clock, checkInterval, random } = this.options;
    const owner = this.owner;
    const sent = instantOf(clock);
    let reply: LeaseReply;
    try {
      if (clock.now() < this.sitOutUntil) reply = await this.store.look();
      else {
        this.claimed = true;
        reply = await this.store.acquire(owner, this.candidate, this.floor);
      }
    } catch (error) {
      this.wait = this.retryDelay(checkInterval);
      return this.fail(error);
    }
    this.failures = 0;
    if (this.signal.aborted) return undefined;
    // Given up while the reply was under way.
    if (owner !== this.owner) {
      this.wait = Math.max(0, this.sitOutUntil - clock.now());
      return undefined;
    }
    switch (reply.kind) {
      case 'granted':
        this.wait = 0;
        return this.begin(reply.term, deadlineAfter(sent, 0, clock));
      case 'restarted':
        this.wait = Math.min(reply.wait, checkInterval);
        return this.fail(new StoreRestartedError(reply.wait));
      case 'vacant':
        this.wait = Math.max(0, this.sitOutUntil - clock.now());
        return this.follow(null, reply.term);
      case 'held':
        this.claimed = false;
        this.heldUntil = sent.monotonic + (reply.ttl < 0 ? Infinity : reply.ttl);
        this.sitOutUntil = -Infinity;
        this.wait = checkInterval;
        if (reply.ttl >= 0) this.wait = Math.min(checkInterval, reply.ttl + 1 + random() * CAMPAIGN_JITTER);
        return this.follow(candidateOfOwner(reply.owner), reply.term);
    }
  }

  private begin(term: number, sentAt: number): ElectionState {
    let reason: AcquisitionReason = 'vacant';
    if (this.heldUntil !== undefined) reason = sentAt < this.heldUntil ? 'released' : 'expired';
    this.heldUntil = -Infinity;
    this.claim = { term, leaseUntil: 0, renewAt: 0 };
    return { ...this.confirmed(this.claim, sentAt), reason };
  }

  private async renew(claim: Claim): Promise<ElectionState | undefined> {
    const { clock } = this.options;
    for (;;) {
      const rest = Math.min(claim.renewAt, claim.leaseUntil) - clock.now();
      if (rest <= 0 || this.signal.aborted || this.claim !== claim) break;
      await this.waker.sleep(rest, this.signal);
    }
    if (this.signal.aborted || this.claim !== claim) return this.resigned();
    const sent = instantOf(clock);
    let reply: LeaseReply | undefined;
    let failure: unknown;
    if (sent.monotonic < claim.leaseUntil)
      try {
        reply = await this.store.renew(this.owner, this.candidate, claim.term);
      } catch (error) {
        failure = error;
      }
    if (this.signal.aborted || this.claim !== claim) return this.resigned();
    // A confirmation that arrives after the end cannot revive a claim that its holder has already given up.
    if (clock.now() >= claim.leaseUntil) {
      await this.release();
      return this.follow(null, claim.term);
    }
    if (!reply) {
      claim.renewAt = clock.now() + this.retryDelay(this.options.heartbeatInterval / 4);
      return this.fail(failure);
    }
    this.failures = 0;
    if (reply.kind === 'granted') return this.confirmed(claim, deadlineAfter(sent, 0, clock));
    this.claim = undefined;
    this.claimed = false;
    this.owner = this.nextOwner();
    return reply.kind === 'held'
      ? this.follow(candidateOfOwner(reply.owner), reply.term)
      : this.follow(null, claim.term);
  }

  private confirmed(claim: Claim, sentAt: number): Extract<ElectionState, { role: 'leader' }> {
    const { lockTtl, validity, heartbeatInterval } = this.options;
    claim.leaseUntil = sentAt + lockTtl;
    claim.renewAt = sentAt + heartbeatInterval;
    this.floor = Math.max(this.floor, claim.term);
    this.reported = '';
    return { role: 'leader', term: claim.term, validUntil: sentAt + validity, leaseUntil: claim.leaseUntil };
  }

  private resigned(): ElectionState | undefined {
    return this.signal.aborted ? undefined : this.follow(null, this.floor);
  }

  private follow(leaderId: string | null, term: number): ElectionState | undefined {
    this.floor = Math.max(this.floor, term);
    const report = `${term} ${leaderId}`;
    if (report === this.reported) return undefined;
    this.reported = report;
    return { role: 'follower', leaderId, term };
  }

  private fail(error: unknown): ElectionState {
    this.reported = '';
    return { role: 'error', error: error instanceof Error ? error : new Error(String(error)) };
  }

  private retryDelay(cap: number): number {
    const delay = Math.min(FIRST_RETRY * 2 ** Math.min(this.failures++, 16), cap);
    return delay * (0.5 + this.options.random() / 2);
  }

  private nextOwner(): string {
    return `${this.candidate.id}:${++campaigns}`;
  }
}
