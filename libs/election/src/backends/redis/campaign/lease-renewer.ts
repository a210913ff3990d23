import type {
  AcquisitionReason,
  Candidate,
  ElectionState,
  LossReason,
} from '../../../contract/election-backend.js';
import type { CampaignMemory } from '../../../lease/campaign-memory.js';
import { candidateOfOwner } from '../../../lease/lease-owner.js';
import type { Backoff } from '../../../util/backoff.js';
import { instantOf, onFastestClock } from '../../../util/clock.js';
import type { Condition } from '../../../util/condition.js';
import { toError } from '../../../util/to-error.js';
import type { LeaseStore } from '../lease/lease-store.js';
import type { ProcessPresence } from './presence-timing.js';
import type { ResolvedRedisElectionOptions } from '../redis-election-options.js';
import type { Answer, Claim } from './claim.js';
import { ModeChoice } from './mode-choice.js';

/** What the parts of one campaign share. */
export interface CampaignContext {
  readonly store: LeaseStore;
  readonly options: ResolvedRedisElectionOptions;
  readonly candidate: Candidate;
  readonly memory: CampaignMemory;
  /** Ends the campaign. */
  readonly signal: AbortSignal;
  /** Woken when something may have happened that the campaign should look at. */
  readonly condition: Condition;
  /** Without it, the candidate claims only leases that rest on time, and never replaces a leader for being absent. */
  readonly presence: ProcessPresence | undefined;
}

/** The leader's own process cannot be seen by the store, on which its lease rests: it is suspended until it can. */
class PresenceUnseenError extends Error {
  override readonly name = 'PresenceUnseenError';
  readonly code = 'PRESENCE_UNSEEN';

  constructor() {
    super(
      'Redis does not see the presence connection of this process; its lease is not confirmed until it does',
    );
  }
}

/** A leader gives up after this time without a confirmation, so that another candidate can lead. Milliseconds. */
const GIVE_UP = 2_000;

/** While confirmations are frequent, the next is sent whether or not the last was answered. */
const OUTSTANDING = 10;

/** A failed confirmation of a lease that rests on presence is retried at the latest after this time. Milliseconds. */
const PRESENCE_RETRY = 250;

/** How a claim ended; `undefined` when the campaign did, or when it was given up from outside. */
export interface Ending {
  readonly reason: LossReason;
  readonly leaderId: string | null;
  readonly term: number;
}

/** Keeps one lease: confirms it in time and reports its deadlines, until it is lost. */
export class LeaseRenewer {
  private readonly modes: ModeChoice;
  private released = false;
  /** How many connections were made. */
  private connections = 0;

  constructor(
    private readonly context: CampaignContext,
    private readonly claim: Claim,
    private readonly backoff: Backoff,
  ) {
    const { options, presence } = context;
    this.modes = new ModeChoice(options.presenceValidity, presence !== undefined);
  }

  /** Confirms at once. `reconnected`: the connection is a new one. */
  confirmNow(reconnected: boolean): void {
    this.claim.reconnected ||= reconnected;
    if (reconnected) this.connections++;
    this.claim.sendAt = -Infinity;
  }

  /** The claim was given up. */
  release(): void {
    this.released = true;
  }

  async *states(reason: AcquisitionReason): AsyncGenerator<ElectionState, Ending | undefined> {
    const { context, claim } = this;
    const { clock } = context.options;
    yield { ...this.leader(), reason };
    while (!context.signal.aborted && !this.released) {
      if (clock.now() >= claim.leaseUntil) return this.ended('expired');
      const answer = claim.answers.shift();
      if (answer) {
        const outcome = this.judge(answer);
        if (!outcome) continue;
        if (!('role' in outcome)) return outcome;
        yield outcome;
        continue;
      }
      if (this.changeMode()) yield { role: 'suspended', term: claim.term };
      if (this.isGivenUp()) return this.ended('unconfirmed');
      if (this.maySend() && clock.now() >= claim.sendAt) this.send();
      else await context.condition.wait(this.nextMoment() - clock.now(), context.signal);
    }
    return undefined;
  }

  private leader(): Extract<ElectionState, { role: 'leader' }> {
    const { term, validUntil, leaseUntil, sentAt } = this.claim;
    return { role: 'leader', term, validUntil, leaseUntil, sentAt };
  }

  private ended(reason: LossReason): Ending {
    return { reason, leaderId: null, term: this.claim.term };
  }

  private judge({ sent, change, result }: Answer): Ending | ElectionState | undefined {
    const { claim } = this;
    const { clock, heartbeatInterval, validity } = this.context.options;
    if (result instanceof Error) {
      const cap = claim.restsOnPresence ? PRESENCE_RETRY : heartbeatInterval / 4;
      claim.sendAt = clock.now() + this.backoff.next(cap);
      return { role: 'error', error: result };
    }
    this.backoff.reset();
    switch (result.kind) {
      case 'granted':
        this.modes.answered(clock.now() - sent.monotonic);
        claim.confirm(sent, result, change);
        this.context.memory.saw(claim.term, onFastestClock(validity[result.mode]));
        return this.leader();
      case 'held':
        return { reason: 'refused', leaderId: candidateOfOwner(result.owner), term: result.term };
      case 'vacant':
      case 'restarted':
        return this.ended('refused');
      case 'unseen':
        return this.unseen();
    }
  }

  private unseen(): ElectionState | undefined {
    const { claim } = this;
    if (claim.mode === 'lease' && claim.wanted === 'presence') {
      // The claim keeps its mode, but the store must know: confirmations that ask for presence may still arrive there.
      claim.seen = false;
      claim.want('lease');
      this.confirmNow(false);
    }
    if (claim.unseenReported) return undefined;
    claim.unseenReported = true;
    return { role: 'error', error: new PresenceUnseenError() };
  }

  /** @returns whether validity was ended for it: a lease may rest on presence only when its leader acts accordingly. */
  private changeMode(): boolean {
    const { claim } = this;
    const wanted = this.modes.change(claim);
    if (!wanted) return false;
    claim.want(wanted);
    this.confirmNow(false);
    if (wanted === 'lease') return false;
    claim.suspend();
    return true;
  }

  private isGivenUp(): boolean {
    const { claim } = this;
    const now = this.context.options.clock.now();
    if (!claim.restsOnPresence || now < claim.validUntil) return false;
    claim.suspendedSince ??= now;
    return now - claim.suspendedSince >= GIVE_UP;
  }

  private maySend(): boolean {
    return this.claim.outstanding < (this.claim.restsOnPresence ? OUTSTANDING : 1);
  }

  private send(): void {
    const { claim, context } = this;
    const { clock, confirmInterval, heartbeatInterval } = context.options;
    const sent = instantOf(clock);
    claim.sendAt = sent.monotonic + (claim.restsOnPresence ? confirmInterval : heartbeatInterval);
    claim.outstanding++;
    const { connections } = this;
    const { owner, term, change, changes } = claim;
    const answered = (result: Answer['result']) => {
      claim.outstanding--;
      // The connection was made after this confirmation was sent, so the confirmation did not say that the store may have restarted.
      const granted = 'kind' in result && result.kind === 'granted';
      if (granted && connections !== this.connections) this.confirmNow(false);
      else claim.answers.push({ sent, change: changes, result });
      if (granted && connections === this.connections) claim.reconnected = false;
      context.condition.notify();
    };
    const candidateId = context.candidate.id;
    const lapsedFor = claim.lapsedFor();
    context.store
      .confirm({ owner, term, candidateId, change, lapsedFor })
      .then(answered, (error: unknown) => answered(toError(error)));
  }

  private nextMoment(): number {
    const { claim } = this;
    let moment = claim.leaseUntil;
    if (this.maySend()) moment = Math.min(moment, claim.sendAt);
    if (!claim.restsOnPresence) return moment;
    return Math.min(
      moment,
      claim.suspendedSince === undefined ? claim.validUntil : claim.suspendedSince + GIVE_UP,
    );
  }
}
