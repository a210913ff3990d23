import { randomUUID } from 'node:crypto';
import type { Candidate, ElectionBackend, ElectionState } from '../contract/election-backend.js';
import { Elector } from '../elector/elector.js';
import type { Clock } from '../util/clock.js';
import { withCampaign } from '../contract/with-campaign.js';
import type { Grant } from './check-history.js';

/** A candidate with its elector, which writes down every grant it gets. */
export class Participant {
  readonly id: string;
  readonly elector: Elector;
  /** `acquired <term>` and `lost <reason>`, in order. */
  readonly events: string[] = [];
  /** What its backend reported against the contract. */
  readonly problems: string[] = [];
  private readonly log: { -readonly [Key in keyof Grant]: Grant[Key] }[] = [];
  private lostTerm = 0;

  constructor(
    readonly backend: ElectionBackend,
    {
      id = `candidate:${randomUUID()}`,
      clock,
      renewDeadline,
    }: { readonly id?: string; readonly clock?: Clock; readonly renewDeadline?: number } = {},
  ) {
    this.id = id;
    this.elector = new Elector({
      backend: withCampaign(backend, (candidate, signal) => this.record(candidate, signal)),
      candidate: { id: this.id },
      handoverTimeout: 60_000,
      renewDeadline,
      clock,
    });
    this.elector.on('acquired', ({ term }) => this.events.push(`acquired ${term}`));
    this.elector.on('lost', ({ term, reason }) => {
      this.events.push(`lost ${reason}`);
      this.lostTerm = term;
      const now = performance.now();
      for (const grant of this.log)
        if (grant.term === term) grant.validUntil = Math.min(grant.validUntil, now);
    });
  }

  get grants(): readonly Grant[] {
    return this.log;
  }

  get leads(): boolean {
    return this.elector.lease?.isValid() ?? false;
  }

  private check({ validUntil, leaseUntil, sentAt }: Extract<ElectionState, { role: 'leader' }>): void {
    if (
      leaseUntil === Infinity ||
      (sentAt !== undefined && sentAt < validUntil && sentAt <= performance.now())
    )
      return;
    this.problems.push(`a lease until ${leaseUntil} rests on a confirmation that was sent at ${sentAt}`);
  }

  private async *record(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    for await (const state of this.backend.campaign(candidate, signal)) {
      if (state.role === 'leader') this.check(state);
      // The candidate cannot act on a confirmation that arrives while it hands over.
      if (state.role === 'leader' && state.term !== this.lostTerm)
        this.log.push({
          owner: this.id,
          term: state.term,
          sentAt: performance.now(),
          validUntil: state.validUntil,
        });
      yield state;
    }
  }
}
