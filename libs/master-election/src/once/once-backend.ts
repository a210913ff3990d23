import {
  systemClock,
  type Candidate,
  type Clock,
  type ElectionBackend,
  type ElectionState,
} from '@detector-cluster/election';
import { COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import {
  deadlineAfter,
  instantOf,
  pause,
  validityOf,
  type ClockInstant,
} from '@detector-cluster/election/internal';
import type { OnceClaim, OnceStore } from './once-store.js';

interface OnceBackendOptions {
  readonly store: OnceStore;
  /** Length of the lease of a claim. Milliseconds. */
  readonly leaseTtl: number;
  /** Unique for each backend; the owner of its claims. */
  readonly owner: string;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** How often a waiting process tries to claim the work. Milliseconds. */
const LOOK_INTERVAL = 250;

/** An election among the callers that compete for one piece of work, until it is done. Serves one campaign: losing a claim ends it. */
export class OnceBackend implements ElectionBackend {
  readonly name = 'once';
  /** Resolves when this backend stops claiming: the work is done, or the claim was lost. */
  readonly over: Promise<'done' | 'lost'>;
  private readonly end: (how: 'done' | 'lost') => void;
  private readonly closing = new AbortController();
  private readonly clock: Clock;
  private readonly random: () => number;
  private mayHold = false;
  private term = 0;

  constructor(private readonly options: OnceBackendOptions) {
    let end!: (how: 'done' | 'lost') => void;
    this.over = new Promise((resolve) => (end = resolve));
    this.end = end;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
  }

  async *campaign(_candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    // A lost claim is never renewed: its work may still be running, and must not keep other processes from the work.
    if (this.term > 0) {
      this.end('lost');
      return;
    }
    const { store, owner, leaseTtl } = this.options;
    const ended = AbortSignal.any([signal, this.closing.signal]);
    let first: ClockInstant | undefined;
    try {
      while (!ended.aborted) {
        const sent = instantOf(this.clock);
        const extendOnly = this.term > 0;
        // Redis may receive and apply this command late, so the age includes two command timeouts.
        const repeated = !extendOnly && first !== undefined;
        const claimedFor = repeated
          ? sent.monotonic - deadlineAfter(first!, 0, this.clock) + 2 * COMMAND_TIMEOUT
          : 0;
        first ??= sent;
        this.mayHold = true;
        const claim = await store
          .claim(owner, extendOnly, claimedFor)
          .catch((error: unknown) => error as Error);
        if (claim instanceof Error) yield { role: 'error', error: claim };
        else if (claim.state === 'done') {
          this.mayHold = false;
          this.end('done');
          return;
        } else {
          yield this.stateOf(claim, sent);
          if (claim.state === 'taken' && extendOnly) {
            this.end('lost');
            return;
          }
        }
        const held = !(claim instanceof Error) && claim.state === 'held';
        await pause(held ? leaseTtl / 3 : LOOK_INTERVAL * (0.8 + 0.4 * this.random()), this.clock, ended);
      }
    } finally {
      await this.resign();
    }
  }

  async resign(): Promise<void> {
    if (!this.mayHold) return;
    this.mayHold = false;
    // If the store is unavailable, the claim expires by itself.
    await this.options.store.release(this.options.owner).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.resign();
  }

  private stateOf(claim: Exclude<OnceClaim, { state: 'done' }>, sent: ClockInstant): ElectionState {
    if (claim.state === 'taken') {
      this.mayHold = false;
      return { role: 'follower', leaderId: null, term: claim.term };
    }
    this.term = claim.term;
    const until = deadlineAfter(sent, validityOf(this.options.leaseTtl), this.clock);
    return { role: 'leader', term: claim.term, validUntil: until, leaseUntil: until, sentAt: sent.monotonic };
  }
}
