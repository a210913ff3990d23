import type { MasterElection } from '@detector-cluster/master-election';
import type { NoticedOutage } from '../state/outage-records.js';
import type { RedisOutage } from '../store/redis-watch.js';
import type { MasterTerm } from './master-term.js';

/** If a process becomes master within this time after an outage of Redis, the outage has caused the election. Milliseconds. */
export const ELECTION_AFTER_OUTAGE = 60_000;

/** A master can lose its lease before its first command has failed. Milliseconds. */
const NOTICED_LATE = 5_000;

/** The terms of one process as master: at most one at a time, and those before it that are still ending. */
export class MasterTerms {
  private term: MasterTerm | null = null;
  /** The term once it knows what its predecessor knew. Before that, it has no answers. */
  private ready: MasterTerm | null = null;
  private ending: Promise<void> = Promise.resolve();
  /** The last outage of Redis that has ended. */
  private lastOutage: NoticedOutage | null = null;
  /** When the last term of this process ended. Milliseconds since 1970. */
  private lastEnd = Number.NEGATIVE_INFINITY;

  /** @param report has the next master record an outage that ended the term of this process */
  constructor(
    private readonly election: Pick<MasterElection, 'lease' | 'getNodeId'>,
    private readonly report: (outage: NoticedOutage) => void,
  ) {}

  /** Null when this process is not master. */
  get current(): MasterTerm | null {
    return this.term;
  }

  /** The current term if it can answer and act at this moment; null when this process is not master, or its lease is over. */
  get controls(): MasterTerm | null {
    const { term, ready } = this;
    return term === ready && this.election.lease?.isValid() ? ready : null;
  }

  /** Resolves when all terms that {@link end} was called for have ended. Never rejects. */
  get ended(): Promise<void> {
    return this.ending;
  }

  begin(term: MasterTerm): void {
    this.term = term;
    void term.start().then(() => {
      this.ready = term;
      const { lastOutage } = this;
      // The last master may have ended in the outage. Otherwise it reports the outage.
      if (lastOutage !== null && Date.now() - lastOutage.until < ELECTION_AFTER_OUTAGE)
        term.recordOutage(lastOutage);
    });
  }

  /** Ends the current term in the background. Returns false if there is none. */
  end(graceful: boolean): boolean {
    const { term } = this;
    if (term === null) return false;
    this.term = null;
    this.lastEnd = Date.now();
    const end = graceful ? term.handOver() : term.abort();
    this.ending = Promise.allSettled([this.ending, end]).then(() => undefined);
    return true;
  }

  /** Has an outage of Redis recorded if this process was or is master. */
  outageEnded(times: RedisOutage): void {
    const outage = { processId: this.election.getNodeId(), ...times };
    this.lastOutage = outage;
    // Before it is ready, a term records it at its start.
    if (this.term !== null && this.term === this.ready) this.term.recordOutage(outage);
    // The next master has noticed the outage only if it had a command under way.
    else if (this.lastEnd >= outage.since - NOTICED_LATE) this.report(outage);
  }
}
