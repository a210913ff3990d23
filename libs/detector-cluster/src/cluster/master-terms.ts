import type { MasterElection } from '@detector-cluster/master-election';
import type { RedisOutage } from '../store/redis-watch.js';
import type { MasterTerm } from './master-term.js';

/** If a process becomes master within this time after an outage of Redis, the outage has caused the election. Milliseconds. */
const ELECTION_AFTER_OUTAGE = 60_000;

/** The terms of one process as master: at most one at a time, and those before it that are still ending. */
export class MasterTerms {
  private term: MasterTerm | null = null;
  /** The term once it knows what its predecessor knew. Before that, it has no answers. */
  private ready: MasterTerm | null = null;
  private ending: Promise<void> = Promise.resolve();
  /** The last outage of Redis that has ended. */
  private lastOutage: RedisOutage | null = null;

  constructor(private readonly election: MasterElection) {}

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
      // An outage that ended the term of the last master is recorded by the next one.
      if (lastOutage !== null && Date.now() - lastOutage.until < ELECTION_AFTER_OUTAGE)
        term.redisWasUnavailable(lastOutage);
    });
  }

  /** Ends the current term in the background. Returns false if there is none. */
  end(graceful: boolean): boolean {
    const { term } = this;
    if (term === null) return false;
    this.term = null;
    const end = graceful ? term.handOver() : term.abort();
    this.ending = Promise.allSettled([this.ending, end]).then(() => undefined);
    return true;
  }

  outageEnded(outage: RedisOutage): void {
    this.lastOutage = outage;
    // Before it is ready, a term records it at its start.
    if (this.term === this.ready) this.ready?.redisWasUnavailable(outage);
  }
}
