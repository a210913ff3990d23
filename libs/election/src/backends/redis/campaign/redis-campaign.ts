import type { ElectionState } from '../../../contract/election-state.js';
import { DuplicateCandidateError, StoreRestartedError } from '../../../contract/errors.js';
import type { AcquisitionReason, LossReason } from '../../../contract/reasons.js';
import { deadlineAfter, instantOf, type ClockInstant } from '../../../util/clock-instant.js';
import type { ElectionNews } from '../election-news.js';
import { candidateOfOwner, instanceOf, instanceOfOwner, newOwner } from '../lease/lease-owner.js';
import type { GrantedLease, HeldLease, LeaseReply } from '../lease/lease-reply.js';
import { AbsenceWatch } from './absence-watch.js';
import { Backoff } from '../../../util/backoff.js';
import type { CampaignContext } from './campaign-context.js';
import { Claim } from './claim.js';
import { LeaseKeeper, type Ending } from './lease-keeper.js';
import { NamesakeWatch } from './namesake-watch.js';

/** Followers do not all try at the same moment. Milliseconds. */
const CAMPAIGN_JITTER = 250;

/** Whoever resigned or gave up lets the others go first for this long. Milliseconds. */
const SIT_OUT = 1_000;

/** After a connection was made, the store gets this long to see the presence of this process before that is given up. */
const PRESENCE_PATIENCE = 1_000;

/** After a connection was made, absences do not count for this long: others may be coming back as well. */
const BLIND_AFTER_RECONNECT = 2_000;

/**
 * One candidate's campaign on a lease record: waits for a vacancy, takes it, keeps it, and so on.
 *
 * Every claim to the lease has an owner name of its own. An acquisition whose reply was lost is repeated under the same name
 * and so yields the same term; a claim that has ended is never taken up again.
 */
export class RedisCampaign {
  private readonly backoff: Backoff;
  private readonly absence: AbsenceWatch;
  private readonly namesake = new NamesakeWatch();
  private readonly instance: string;
  private owner: string;
  /** An acquisition under {@link owner} was sent, so that the store may hold a record of it. */
  private claimed = false;
  /** When the first one was sent. */
  private claimedAt: ClockInstant | undefined;
  /** Names under which the store may still hold a record, and which it could not be told to drop. */
  private readonly owed = new Set<string>();
  private keeper: LeaseKeeper | undefined;
  private floor = 0;
  /** How long to sleep before the next attempt, ms. */
  private wait = 0;
  private next: 'acquire' | 'look' = 'acquire';
  /** Whose place was asked for. */
  private replacing: HeldLease | undefined;
  private reported = '';
  /**
   * Until when the last lease seen was to last, for ever once its release was heard; `undefined` before the first. A vacancy
   * before that is a release.
   */
  private heldUntil: number | undefined;
  /** Until when somebody may lead whose lease rests on time, also if the store forgets it. */
  private timedLeaseUntil = -Infinity;
  /** The last lease seen rested on time. */
  private timed = false;
  private sitOutUntil = -Infinity;
  private presenceDeadline = -Infinity;
  private warned = false;

  constructor(
    private readonly context: CampaignContext,
    /** The part of the context's signal that comes from whoever reads the states, and so needs not be told. */
    private readonly consumer: AbortSignal = context.signal,
  ) {
    const { options, candidate, incarnation } = context;
    this.instance = instanceOf(candidate.id, incarnation);
    this.backoff = new Backoff(options.random);
    this.absence = new AbsenceWatch(options.presenceGrace);
    this.owner = newOwner(this.instance);
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { signal, options } = this.context;
    this.connected();
    try {
      while (!signal.aborted) {
        const begun = yield* this.compete();
        if (!begun) break;
        const { claim, reason } = begun;
        this.keeper = new LeaseKeeper(this.context, claim, this.backoff);
        const ending = yield* this.keeper.states(reason);
        this.keeper = undefined;
        if (signal.aborted) {
          // Whoever leads by our word steps down when it reads this, which is before the store is told.
          if (!this.consumer.aborted) yield { role: 'follower', leaderId: null, term: claim.term };
          break;
        }
        if (ending) {
          // First whoever leads stops, then the store is told.
          const state = this.follow(ending.leaderId, ending.term, ending.reason);
          if (state) yield state;
          await this.conclude(ending);
        } else {
          const state = this.follow(null, this.floor);
          if (state) yield state;
        }
        this.wait = Math.max(0, this.sitOutUntil - options.clock.now());
      }
    } finally {
      await this.release();
    }
  }

  /** Something was announced. */
  hear(news: ElectionNews): void {
    if (news.owner === this.owner) return;
    if (news.reason === 'released') {
      this.next = 'acquire';
      // Not that of a leader before this one, or the end of this one's lease would be taken for a release.
      if (!this.keeper && news.term >= this.floor) this.heldUntil = Infinity;
    }
    this.lookAgain();
  }

  /** A connection to the store was made. */
  connected(): void {
    const { clock, presenceGrace, lockTtl } = this.context.options;
    const now = clock.now();
    // It may have been extended until the store went away, and the store may have forgotten that.
    if (this.timed) this.timedLeaseUntil = now + lockTtl;
    this.presenceDeadline = now + PRESENCE_PATIENCE;
    this.absence.ignoreUntil(now + Math.max(presenceGrace, BLIND_AFTER_RECONNECT));
    this.keeper?.confirmNow(true);
    this.context.waker.wake();
  }

  /** Something may have happened that was not heard. */
  lookAgain(): void {
    this.keeper?.confirmNow(false);
    this.context.waker.wake();
  }

  async resign(): Promise<void> {
    if (!this.claimed) return;
    this.sitOutUntil = this.context.options.clock.now() + SIT_OUT;
    await this.release();
    this.heldUntil = Infinity;
    this.context.waker.wake();
  }

  /** Gives up what is held, or may be. */
  async release(): Promise<void> {
    if (!this.claimed) return;
    this.keeper?.release();
    this.owed.add(this.owner);
    this.renounce();
    // Unheard, it is said again before the next attempt; or the lease runs out by itself.
    await this.payDebts().catch(() => undefined);
  }

  private async conclude({ reason, leaderId }: Ending): Promise<void> {
    if (reason === 'refused' && leaderId !== null) return this.renounce();
    if (reason === 'unconfirmed') {
      const { presence, options } = this.context;
      // As long as it can be seen, nobody would take its place.
      presence?.leave();
      this.sitOutUntil = options.clock.now() + SIT_OUT * (0.5 + options.random());
    }
    await this.release();
  }

  private renounce(): void {
    this.claimed = false;
    this.claimedAt = undefined;
    this.replacing = undefined;
    this.next = 'acquire';
    this.owner = newOwner(this.instance);
  }

  private async payDebts(): Promise<void> {
    for (const owner of this.owed) {
      await this.context.store.release(owner);
      this.owed.delete(owner);
    }
  }

  private async *compete(): AsyncGenerator<
    ElectionState,
    { claim: Claim; reason: AcquisitionReason } | undefined
  > {
    const { signal, waker, options } = this.context;
    const { clock } = options;
    while (!signal.aborted) {
      await waker.sleep(this.wait, signal);
      if (signal.aborted) return undefined;
      const owner = this.owner;
      let sent: ClockInstant;
      let reply: LeaseReply;
      try {
        await this.prepare();
        if (signal.aborted) return undefined;
        sent = instantOf(clock);
        reply = await this.ask();
      } catch (error) {
        this.next = 'acquire';
        this.wait = this.backoff.next(options.checkInterval);
        yield this.fail(error);
        continue;
      }
      this.backoff.reset();
      if (signal.aborted) return undefined;
      // Given up while the reply was under way.
      if (owner !== this.owner) {
        this.wait = Math.max(0, this.sitOutUntil - clock.now());
        continue;
      }
      if (reply.kind === 'granted') return this.begin(reply, sent);
      const state = this.read(reply, sent);
      if (state) yield state;
    }
    return undefined;
  }

  /** What must be so before anything is claimed: no old claim of ours stands in the way, and we can be seen. */
  private async prepare(): Promise<void> {
    const { presence, options, signal } = this.context;
    await this.payDebts();
    if (!presence) return;
    presence.comeBack();
    const patience = this.presenceDeadline - options.clock.now();
    if (!presence.listening && patience > 0) await presence.whenListening(patience, signal);
  }

  private ask(): Promise<LeaseReply> {
    const { store, options, candidate } = this.context;
    const { clock, commandTimeout } = options;
    const now = clock.now();
    const absent = this.absence.due(now);
    if (now < this.sitOutUntil || (this.next === 'look' && !absent)) return store.look();
    this.claimed = true;
    this.replacing ??= absent;
    // It may still be some time until it is sent, and applied.
    const claimedFor = this.claimedAt
      ? now - deadlineAfter(this.claimedAt, 0, clock) + 2 * commandTimeout
      : 0;
    this.claimedAt ??= instantOf(clock);
    return store.acquire(
      {
        owner: this.owner,
        candidateId: candidate.id,
        floor: this.floor,
        afterTimedLease: now < this.timedLeaseUntil,
        claimedFor,
      },
      absent,
    );
  }

  private read(
    reply: Exclude<LeaseReply, { kind: 'granted' }>,
    sent: ClockInstant,
  ): ElectionState | undefined {
    const { clock, checkInterval } = this.context.options;
    const now = clock.now();
    switch (reply.kind) {
      case 'restarted':
        this.wait = Math.min(reply.wait, checkInterval);
        return this.fail(new StoreRestartedError(reply.wait));
      case 'vacant':
        this.next = 'acquire';
        this.wait = Math.max(0, this.sitOutUntil - now);
        return this.follow(null, reply.term);
      case 'held':
        return this.held(reply, now, sent);
      case 'unseen':
        return undefined;
    }
  }

  private held(lease: HeldLease, now: number, sent: ClockInstant): ElectionState | undefined {
    // Claimed by a call whose reply was lost.
    if (lease.owner === this.owner) {
      this.next = 'acquire';
      this.wait = Math.max(0, this.sitOutUntil - now);
      return undefined;
    }
    // A claim of this process that has ended, brought back by a restart of the store or by a call that came late. Others would
    // wait for its end, because the process can be seen. A namesake's claim is another's.
    if (instanceOfOwner(lease.owner) === this.instance) {
      this.owed.add(lease.owner);
      this.next = 'acquire';
      this.wait = 0;
      return undefined;
    }
    const { lockTtl, checkInterval, presenceLook, random } = this.context.options;
    this.claimed = false;
    this.claimedAt = undefined;
    this.replacing = undefined;
    this.next = 'look';
    this.sitOutUntil = -Infinity;
    // Not later than it is, or an expiry would be taken for a release.
    this.heldUntil = sent.monotonic + lease.ttl;
    this.timed = lease.mode === 'lease';
    // Never earlier than it was: a store that lost its last writes knows of an earlier end.
    if (this.timed) this.timedLeaseUntil = Math.max(this.timedLeaseUntil, now + Math.min(lease.ttl, lockTtl));
    this.wait = checkInterval;
    if (this.context.presence) {
      this.absence.observe(lease, now);
      if (lease.mode === 'presence') this.wait = presenceLook * (0.8 + 0.4 * random());
    }
    this.wait = Math.min(
      this.wait,
      lease.ttl + 1 + random() * CAMPAIGN_JITTER,
      Math.max(0, this.absence.dueAt - now),
    );
    const leaderId = candidateOfOwner(lease.owner);
    if (leaderId === this.context.candidate.id && this.namesake.shows(lease))
      return this.fail(new DuplicateCandidateError(leaderId));
    return this.follow(leaderId, lease.term);
  }

  private begin(granted: GrantedLease, sent: ClockInstant): { claim: Claim; reason: AcquisitionReason } {
    const { options, presence } = this.context;
    const { term, mode } = granted;
    let reason: AcquisitionReason = 'vacant';
    if (this.replacing) reason = 'absent';
    else if (this.heldUntil !== undefined) reason = sent.monotonic < this.heldUntil ? 'released' : 'expired';
    this.heldUntil = -Infinity;
    this.replacing = undefined;
    this.absence.forget();
    this.floor = Math.max(this.floor, term);
    this.reported = '';
    if (presence && mode === 'lease' && !this.warned) {
      this.warned = true;
      options.onWarning(
        'Redis does not see the presence connection of this process (a proxy, or no right to PUBSUB and SUBSCRIBE): ' +
          `if this leader is killed, it is replaced when its lease runs out, after ${options.lockTtl / 1_000} s`,
      );
    }
    const claim = new Claim(this.owner, term, options, options.clock);
    claim.confirm(sent, granted);
    claim.sendAt =
      sent.monotonic + (mode === 'presence' ? options.confirmInterval : options.heartbeatInterval);
    return { claim, reason };
  }

  private follow(leaderId: string | null, term: number, reason?: LossReason): ElectionState | undefined {
    this.floor = Math.max(this.floor, term);
    const report = `${term} ${leaderId}`;
    if (report === this.reported && !reason) return undefined;
    this.reported = report;
    return { role: 'follower', leaderId, term, ...(reason && { reason }) };
  }

  private fail(error: unknown): ElectionState {
    this.reported = '';
    return { role: 'error', error: error instanceof Error ? error : new Error(String(error)) };
  }
}
