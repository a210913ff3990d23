import type { AcquisitionReason, ElectionState } from '../../../contract/election-backend.js';
import {
  DuplicateCandidateError,
  StoreRestartedError,
  UnreadableLeaseError,
} from '../../../contract/errors.js';
import { candidateOfOwner, instanceOf } from '../../../lease/lease-owner.js';
import { ClaimName } from '../../../lease/claim-name.js';
import { Vacancy } from '../../../lease/vacancy.js';
import { Cooldown } from '../../../lease/cooldown.js';
import { FollowerReports } from '../../../lease/follower-reports.js';
import { Backoff } from '../../../util/backoff.js';
import { type ClockInstant, instantOf, onFastestClock } from '../../../util/clock.js';
import { toError } from '../../../util/to-error.js';
import type { ElectionNews } from '../election-keys.js';
import type { GrantedLease, HeldLease, LeaseReply } from '../lease/lease-store.js';
import { Claim } from './claim.js';
import { AbsenceWatch } from './absence-watch.js';
import { type CampaignContext, type Ending, LeaseRenewer } from './lease-renewer.js';
import { NamesakeWatch } from './namesake-watch.js';

/** The scripts give this id to the owner of a lease that they cannot read. */
const UNREADABLE = 'unreadable-lease';

/** Followers do not all try at the same moment. Milliseconds. */
const CAMPAIGN_JITTER = 250;

/** After a connection was made, the store gets this long to see the presence of this process before that is given up. */
const PRESENCE_TIMEOUT = 1_000;

/** After a connection was made, absences do not count for this long: others may be coming back as well. */
const BLIND_AFTER_RECONNECT = 2_000;

/**
 * One candidate's campaign on a lease record: waits for a vacancy, takes it, keeps it, and so on.
 */
export class RedisCampaign {
  private readonly backoff: Backoff;
  private readonly absence: AbsenceWatch;
  private readonly namesake = new NamesakeWatch();
  private readonly claim: ClaimName;
  private readonly cooldown: Cooldown;
  private readonly vacancy = new Vacancy();
  private readonly reports = new FollowerReports();
  private renewer: LeaseRenewer | undefined;
  /** How long to sleep before the next attempt, ms. */
  private wait = 0;
  private next: 'acquire' | 'look' = 'acquire';
  /** The lease whose absent holder this candidate asked to replace. */
  private replacing: HeldLease | undefined;
  private presenceDeadline = -Infinity;
  private warned = false;
  /** The owner of the last lease seen. */
  private lastOwner = '';

  constructor(
    private readonly context: CampaignContext,
    /** The part of the context's signal that the reader of the states aborts. The reader does not need a final state. */
    private readonly consumer: AbortSignal = context.signal,
  ) {
    const { options, candidate, memory } = context;
    this.backoff = new Backoff(options.random);
    this.absence = new AbsenceWatch(options.presenceGrace);
    const { clock, commandTimeout } = options;
    this.claim = new ClaimName(instanceOf(candidate.id, memory.incarnation), clock, commandTimeout);
    this.cooldown = new Cooldown(clock);
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { signal, memory } = this.context;
    this.connected();
    try {
      while (!signal.aborted) {
        const begun = yield* this.compete();
        if (!begun) break;
        const { claim, reason } = begun;
        this.renewer = new LeaseRenewer(this.context, claim, this.backoff);
        const ending = yield* this.renewer.states(reason);
        this.renewer = undefined;
        if (signal.aborted) {
          // The current leader steps down when it reads this, before the store is updated.
          if (!this.consumer.aborted) yield { role: 'follower', leaderId: null, term: claim.term };
          break;
        }
        if (ending) {
          // The leader stops first, then the store is updated.
          memory.saw(ending.term);
          yield this.reports.lost(ending.leaderId, ending.term, ending.reason);
          await this.conclude(ending);
        } else {
          const state = this.follow(null, memory.floor);
          if (state) yield state;
        }
        this.wait = this.cooldown.remaining;
      }
    } finally {
      await this.release();
    }
  }

  /** Something was announced. */
  hear(news: ElectionNews): void {
    if (news.owner === this.claim.owner) return;
    if (news.reason === 'released') {
      this.next = 'acquire';
      // Ignores the release of an earlier leader. Otherwise the expiry of the current lease would count as a release.
      if (!this.renewer && news.term >= this.context.memory.floor) this.vacancy.released();
    }
    this.lookAgain();
  }

  /** A connection to the store was made. */
  connected(): void {
    const { clock, presenceGrace } = this.context.options;
    const now = clock.now();
    this.presenceDeadline = now + PRESENCE_TIMEOUT;
    this.absence.ignoreUntil(now + Math.max(presenceGrace, BLIND_AFTER_RECONNECT));
    this.renewer?.confirmNow(true);
    this.context.condition.notify();
  }

  /** An announcement may have been missed. */
  lookAgain(): void {
    this.renewer?.confirmNow(false);
    this.context.condition.notify();
  }

  async resign(): Promise<void> {
    if (!this.claim.sent) return;
    this.cooldown.begin();
    await this.release();
    this.vacancy.released();
    this.context.condition.notify();
  }

  /** Gives up the claim, if one is held or may be. */
  private async release(): Promise<void> {
    if (!this.claim.sent) return;
    this.renewer?.release();
    this.context.memory.releases.add(this.claim.owner);
    this.abandon();
    await this.settle().catch(() => undefined);
  }

  private async conclude({ reason, leaderId }: Ending): Promise<void> {
    if (reason === 'refused' && leaderId !== null) return this.abandon();
    if (reason === 'unconfirmed') {
      const { presence, options } = this.context;
      // While the store sees this process, no other candidate takes its place.
      presence?.leave();
      this.cooldown.begin(0.5 + options.random());
    }
    await this.release();
  }

  private abandon(): void {
    this.claim.abandon();
    this.replacing = undefined;
    this.next = 'acquire';
  }

  private settle(): Promise<void> {
    const { memory, store } = this.context;
    return memory.releases.settle((owner) => store.release(owner));
  }

  private async *compete(): AsyncGenerator<
    ElectionState,
    { claim: Claim; reason: AcquisitionReason } | undefined
  > {
    const { signal, condition, options } = this.context;
    const { clock } = options;
    while (!signal.aborted) {
      await condition.wait(this.wait, signal);
      if (signal.aborted) return undefined;
      const { owner } = this.claim;
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
        yield this.reports.failed(toError(error));
        continue;
      }
      this.backoff.reset();
      if (signal.aborted) return undefined;
      // Given up while the reply was in flight.
      if (owner !== this.claim.owner) {
        this.wait = this.cooldown.remaining;
        continue;
      }
      if (reply.kind === 'granted') return this.begin(reply, sent);
      const state = this.read(reply, sent);
      if (state) yield state;
    }
    return undefined;
  }

  /** Prepares a claim: no old claim of this candidate is left in the store, and the server sees this process. */
  private async prepare(): Promise<void> {
    const { presence, options, signal } = this.context;
    await this.settle();
    if (!presence) return;
    presence.comeBack();
    const timeout = this.presenceDeadline - options.clock.now();
    if (!presence.listening && timeout > 0) await presence.whenListening(timeout, signal);
  }

  private ask(): Promise<LeaseReply> {
    const { store, options, candidate, memory } = this.context;
    const now = options.clock.now();
    const absent = this.absence.due(now);
    if (this.cooldown.active || (this.next === 'look' && !absent)) return store.read();
    this.replacing ??= absent;
    return store.acquire(
      {
        owner: this.claim.owner,
        candidateId: candidate.id,
        floor: memory.floor,
        floorValidity: memory.validity,
        claimedFor: this.claim.send(),
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
        return this.reports.failed(new StoreRestartedError(reply.wait));
      case 'vacant':
        this.next = 'acquire';
        this.wait = this.cooldown.remaining;
        return this.follow(null, reply.term);
      case 'held':
        return this.held(reply, now, sent);
      case 'unseen':
        return undefined;
    }
  }

  private held(lease: HeldLease, now: number, sent: ClockInstant): ElectionState | undefined {
    // Claimed by a call whose reply was lost.
    if (lease.owner === this.claim.owner) {
      this.next = 'acquire';
      this.wait = this.cooldown.remaining;
      return undefined;
    }
    // A claim of this process that has ended, brought back by a restart of the store or by a call that came late. Others would
    // wait for its end, because the process can be seen. A namesake's claim is another's.
    if (this.claim.isLate(lease.owner)) {
      this.context.memory.releases.add(lease.owner);
      this.next = 'acquire';
      this.wait = 0;
      return undefined;
    }
    const { checkInterval, presenceLook, random } = this.context.options;
    this.claim.refused();
    this.replacing = undefined;
    this.next = 'look';
    this.cooldown.end();
    // Not later than the real end, or an expiry would count as a release.
    this.vacancy.held(sent.monotonic + lease.ttl);
    this.context.memory.saw(lease.term, lease.validity);
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
    if (leaderId === UNREADABLE && lease.owner !== this.lastOwner) {
      this.lastOwner = lease.owner;
      return this.reports.failed(
        new UnreadableLeaseError(`${this.context.options.lockName}:lease`, lease.ttl),
      );
    }
    this.lastOwner = lease.owner;
    if (leaderId === this.context.candidate.id && this.namesake.shows(lease))
      return this.reports.failed(new DuplicateCandidateError(leaderId));
    return this.follow(leaderId, lease.term, this.absence.dueAt < Infinity);
  }

  private begin(granted: GrantedLease, sent: ClockInstant): { claim: Claim; reason: AcquisitionReason } {
    const { options, presence, memory } = this.context;
    const { term, mode } = granted;
    const ended = this.vacancy.taken(sent.monotonic);
    const reason = this.replacing ? 'absent' : ended;
    this.replacing = undefined;
    this.absence.forget();
    memory.saw(term, onFastestClock(options.validity[mode]));
    this.reports.forget();
    if (presence && mode === 'lease' && !this.warned) {
      this.warned = true;
      options.onWarning(
        'Redis does not see the presence connection of this process (it is not open again yet, or there is a proxy or no right to ' +
          `PUBSUB and SUBSCRIBE): until it does, a killed leader is replaced when its lease runs out, after ${options.lockTtl / 1_000} s`,
      );
    }
    const claim = new Claim(this.claim.owner, term, options, options.clock);
    claim.confirm(sent, granted);
    claim.sendAt =
      sent.monotonic + (mode === 'presence' ? options.confirmInterval : options.heartbeatInterval);
    return { claim, reason };
  }

  private follow(leaderId: string | null, term: number, isAbsent = false): ElectionState | undefined {
    this.context.memory.saw(term);
    return this.reports.follow(leaderId, term, isAbsent);
  }
}
