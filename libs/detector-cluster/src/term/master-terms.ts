import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import type { MasterElection } from '@detector-cluster/master-election';
import type { NoticedOutage } from '../operators/outage-records.js';
import type { RedisOutage } from '../shared/redis-watch.js';
import type { MasterTerm } from './master-term.js';

/** If a process becomes master within this time after an outage of Redis, the outage has caused the election. Milliseconds. */
export const ELECTION_AFTER_OUTAGE = 60_000;

/** A master can lose its lease before its first command has failed. Milliseconds. */
const NOTICED_LATE = 5_000;

/** How often it looks whether retired terms are of no more use. Milliseconds. */
const LOOK_EVERY = 100;

/** How long a process that stops, or leads again, waits for what its former terms have left to do. Milliseconds. */
const LEFT_TO_DO = 2_000;

export interface MasterTermsOptions {
  readonly election: Pick<MasterElection, 'lease' | 'getNodeId' | 'getStatus'>;
  /** How long a new master waits for the workers. After that, it does without those that it has not heard. Milliseconds. */
  readonly adoptionTimeout: number;
  /** Has the next master record an outage that ended the term of this process. */
  readonly report: (outage: NoticedOutage) => void;
}

/**
 * The terms of one process as master: at most one at a time, and those before it that have retired. A retired term keeps its sockets
 * to workers until the worker closes them, the process stops, or a later master has led for long enough to have its own.
 */
export class MasterTerms {
  private term: MasterTerm | null = null;
  /** The current term once it connects to its workers. Before that, it knows less of them than Redis. */
  private ready: MasterTerm | null = null;
  private readonly retired = new Set<MasterTerm>();
  private closing: Promise<unknown> = Promise.resolve();
  private looking: NodeJS.Timeout | undefined;
  /** The latest term that is seen to lead, and since when. Monotonic milliseconds. */
  private leading: { readonly term: number; readonly since: number } | null = null;
  /** The last outage of Redis that has ended. */
  private lastOutage: NoticedOutage | null = null;
  /** When the last term of this process ended. Milliseconds since 1970. */
  private lastEnd = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: MasterTermsOptions) {}

  /** Null when this process is not master. */
  get current(): MasterTerm | null {
    return this.term;
  }

  /** The current term if it knows the workers at this moment; null when this process is not master, or its lease is over. */
  get observer(): MasterTerm | null {
    return this.options.election.lease?.isValid() ? this.ready : null;
  }

  /** The {@link observer} once it knows what its predecessor wanted. Before that, it has no answers. */
  get controls(): MasterTerm | null {
    const { observer } = this;
    return observer?.isLoaded ? observer : null;
  }

  /** Connections to workers that are kept after a term. */
  get retiredConnections(): number {
    return [...this.retired].reduce((sum, { connections }) => sum + connections, 0);
  }

  /** Detections that wait in this process for Redis, of the current term and of retired ones. */
  get buffered(): number {
    return [...this.retired].reduce((sum, { buffered }) => sum + buffered, this.term?.buffered ?? 0);
  }

  /** Begins a term. What former terms of this process have buffered is appended first, because a later term closes the logs to them. */
  begin(term: MasterTerm): void {
    this.term = term;
    void this.start(term);
  }

  /** Ends the current term. Returns false if there is none. */
  end(graceful: boolean): boolean {
    const { term } = this;
    if (term === null) return false;
    this.term = null;
    this.ready = null;
    this.lastEnd = Date.now();
    term.retire(graceful);
    this.retired.add(term);
    this.looking ??= setInterval(() => this.look(), LOOK_EVERY).unref();
    this.look();
    return true;
  }

  /** The current term has a connection to this worker. */
  connected(worker: string): void {
    for (const term of this.retired) term.replaced(worker);
  }

  /** Ends all terms: for up to 2 s, they still read detections until the successor has connected to the workers. */
  async close(): Promise<void> {
    this.end(true);
    await this.until(() => this.retired.size === 0);
    for (const term of this.retired) this.closeTerm(term);
    await this.closing;
  }

  /** Has an outage of Redis recorded if this process was or is master. */
  outageEnded(times: RedisOutage): void {
    const { election, report } = this.options;
    const outage = { processId: election.getNodeId(), ...times };
    this.lastOutage = outage;
    // Before it is ready, a term records it at its start.
    if (this.ready !== null) this.ready.recordOutage(outage);
    // The next master has noticed the outage only if it had a command under way.
    else if (this.lastEnd >= outage.since - NOTICED_LATE) report(outage);
  }

  private async start(term: MasterTerm): Promise<void> {
    await this.until(() => [...this.retired].every(({ buffered }) => buffered === 0));
    await term.start();
    if (this.term !== term) return;
    this.ready = term;
    const { lastOutage } = this;
    // The last master may have ended in the outage. Otherwise it reports the outage.
    if (lastOutage !== null && Date.now() - lastOutage.until < ELECTION_AFTER_OUTAGE)
      term.recordOutage(lastOutage);
  }

  private async until(isDone: () => boolean): Promise<void> {
    for (const deadline = performance.now() + LEFT_TO_DO; !isDone() && performance.now() < deadline;)
      await pause(20, systemClock);
  }

  /** Closes the retired terms that are of no more use. */
  private look(): void {
    const now = performance.now();
    const { leaderId, mayAct, role, storeFailingFor, term: latest } = this.options.election.getStatus();
    const isLed = role === 'master' ? mayAct : leaderId !== null && storeFailingFor === null;
    if (!isLed) this.leading = null;
    else if (this.leading?.term !== latest) this.leading = { term: latest, since: now };
    const { leading } = this;
    const isSettled = leading !== null && now - leading.since >= this.options.adoptionTimeout;
    for (const term of this.retired)
      if ((term.connections === 0 && term.buffered === 0) || (isSettled && leading.term > term.number))
        this.closeTerm(term);
  }

  private closeTerm(term: MasterTerm): void {
    this.retired.delete(term);
    if (this.retired.size === 0) {
      clearInterval(this.looking);
      this.looking = undefined;
      this.leading = null;
    }
    // The results of all former terms would stay in that of the last one.
    this.closing = Promise.allSettled([this.closing, term.close()]).then(() => undefined);
  }
}
