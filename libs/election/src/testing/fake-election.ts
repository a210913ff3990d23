import type {
  AcquisitionReason,
  Candidate,
  ElectionBackend,
  ElectionState,
  LossReason,
} from '../contract/election-backend.js';
import { systemClock, type Clock } from '../util/clock.js';
import { Condition } from '../util/condition.js';

interface Report {
  /** An error breaks the campaign. */
  readonly state: ElectionState | Error;
  readonly heard: () => void;
}

/**
 * An {@link ElectionBackend} that a test controls: pass it to the code under test, and decide who leads.
 *
 *     const election = new FakeElection();
 *     const elector = new Elector({ backend: election, candidate: { id: 'me' } });
 *     elector.start();
 *     await election.lead();
 *     expect(elector.lease?.isValid()).toBe(true);
 *
 * Each report is a promise that resolves when the candidate has processed it. Reports wait until the campaign has begun, and
 * while it is blocked. They never reject, and a test does not have to await them.
 */
export class FakeElection implements ElectionBackend {
  readonly name = 'fake';
  /** The calls it received, in order. */
  readonly calls: ('campaign' | 'resign' | 'close')[] = [];
  /** Runs when `resign` is called, before it is answered. */
  onResign: () => void = () => undefined;
  private readonly reports: Report[] = [];
  private readonly clock: Clock;
  private current: Candidate | undefined;
  private leading = false;
  private leaderId: string | null = null;
  private term = 0;
  private blocked = false;
  private closed = false;
  private readonly news: Condition;
  private readonly held: (() => void)[] = [];

  /** @param options.clock The clock of the elector, if it does not use the default. */
  constructor(options: { readonly clock?: Clock } = {}) {
    this.clock = options.clock ?? systemClock;
    this.news = new Condition(this.clock);
  }

  /** The candidate that competes; `undefined` while none does. */
  get candidate(): Candidate | undefined {
    return this.current;
  }

  /**
   * The candidate leads, in a new term that is above the last, or is confirmed in the term that it leads.
   *
   * @param options.validFor How long it may act, from now. Milliseconds; default: until the test says otherwise.
   * @param options.leaseFor How long it leads, from now. Milliseconds; default: `validFor`.
   */
  lead(
    options: { term?: number; validFor?: number; leaseFor?: number; reason?: AcquisitionReason } = {},
  ): Promise<void> {
    const { validFor = Infinity, leaseFor = validFor, reason } = options;
    const term = options.term ?? (this.leading ? this.term : this.term + 1);
    const now = this.clock.now();
    const state = { role: 'leader', term, validUntil: now + validFor, leaseUntil: now + leaseFor } as const;
    return this.report(reason ? { ...state, reason } : state);
  }

  /**
   * The candidate does not lead, or no longer.
   *
   * @param leaderId The leader; `null` for none.
   * @param options.term Of that leader. Default: the last, or the next when this leader is a new one.
   * @param options.reason Why its term ended. Default `refused`.
   */
  follow(
    leaderId: string | null = 'another',
    options: { term?: number; reason?: LossReason } = {},
  ): Promise<void> {
    const known = leaderId === null || (leaderId === this.leaderId && !this.leading);
    const { term = known ? this.term : this.term + 1, reason } = options;
    const state = { role: 'follower', leaderId, term } as const;
    return this.report(reason ? { ...state, reason } : state);
  }

  /** The candidate still leads, but may not act until {@link lead} confirms it. */
  suspend(): Promise<void> {
    return this.report({ role: 'suspended', term: this.term });
  }

  /** The store fails. Ends no term; the next report shows that it is back. */
  fail(error: Error = new Error('the store failed')): Promise<void> {
    return this.report({ role: 'error', error });
  }

  /** The campaign breaks: the elector gives up leadership and competes again after its `errorTimeout`. */
  break(error: Error = new Error('the campaign broke')): Promise<void> {
    this.leading = false;
    return this.enqueue(error);
  }

  /** Reports exactly this. */
  report(state: ElectionState): Promise<void> {
    if (state.role === 'leader' || state.role === 'follower') {
      this.leading = state.role === 'leader';
      this.term = Math.max(this.term, state.term);
      this.leaderId = state.role === 'follower' ? state.leaderId : null;
    }
    return this.enqueue(state);
  }

  /** The store stops answering: reports and `resign()` wait for {@link unblock}. */
  block(): void {
    this.blocked = true;
  }

  /** Answers again, including the calls that arrived while it was blocked. */
  unblock(): void {
    this.blocked = false;
    for (const answer of this.held.splice(0)) answer();
    this.news.notify();
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.current) throw new Error('a campaign of this backend is already under way');
    this.calls.push('campaign');
    this.current = candidate;
    signal.addEventListener('abort', () => (this.leading = false));
    try {
      while (!signal.aborted && !this.closed) {
        const report = this.blocked ? undefined : this.reports.shift();
        if (!report) {
          await this.news.wait(Infinity, signal);
          continue;
        }
        try {
          if (report.state instanceof Error) throw report.state;
          yield report.state;
        } finally {
          // Not before an error has reached the candidate, too.
          setImmediate(report.heard);
        }
      }
    } finally {
      this.current = undefined;
      this.leading = false;
    }
  }

  async resign(): Promise<void> {
    this.calls.push('resign');
    this.onResign();
    if (this.blocked) await new Promise<void>((resolve) => this.held.push(resolve));
    this.leading = false;
  }

  close(): Promise<void> {
    this.calls.push('close');
    this.closed = true;
    this.unblock();
    return Promise.resolve();
  }

  private enqueue(state: ElectionState | Error): Promise<void> {
    return new Promise((heard) => {
      this.reports.push({ state, heard });
      this.news.notify();
    });
  }
}
