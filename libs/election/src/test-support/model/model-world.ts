import type { ElectionState } from '../../contract/election-backend.js';
import { checkHistory, type GuardedWrite } from '../../testing/check-history.js';
import type { Clock } from '../../util/clock.js';
import { type CandidateOptions, ModelCandidate } from './model-candidate.js';
import { ModelServer, type ServerDefect } from './model-server.js';
import { Dice } from './dice.js';
import { SimTime } from './sim-time.js';

/** Something that only the leader writes, with a fence: the highest term it has seen. It outlives every fault. */
class FencedResource {
  /** In the order in which they arrived. */
  readonly writes: GuardedWrite[] = [];
  private fence = 0;

  write(owner: string, term: number): void {
    const accepted = term >= this.fence;
    this.fence = Math.max(this.fence, term);
    this.writes.push({ owner, term, accepted });
  }
}

export interface WorldOptions {
  readonly seed: number;
  readonly latency: readonly [low: number, high: number];
  readonly serverRate: number;
  /**
   * The assumption about leases of different lengths: no candidate elects, after a store has lost data, that has not seen the lease which
   * may be valid still. So the store stays down while a candidate has not, and no candidate starts before that lease has ended.
   */
  readonly unseenLeasesOutlastLoss: boolean;
  /** All candidates have one id, as processes have that are configured wrongly. */
  readonly namesakes?: boolean;
  /** Deliberate defects, to show that the checks find them. */
  readonly defects?: readonly ServerDefect[];
  /** Changes what a campaign says. */
  readonly alter?: (state: ElectionState, clock: Clock) => ElectionState;
}

const LOG = 60;

/** A store and the processes that elect over it, in virtual time. Collects what must never happen. */
export class ModelWorld {
  readonly time = new SimTime();
  readonly dice: Dice;
  readonly server: ModelServer;
  readonly resource = new FencedResource();
  readonly candidates: ModelCandidate[] = [];
  readonly violations: string[] = [];
  /** The last notes. */
  readonly log: string[] = [];
  private touched: ModelCandidate | undefined;

  constructor(readonly options: WorldOptions) {
    this.dice = new Dice(options.seed);
    this.server = new ModelServer(this.time, options.serverRate, options.defects);
    this.server.onNews = (news) => {
      for (const candidate of this.candidates)
        this.tell(candidate, () => candidate.backend.current?.hear(news));
    };
  }

  add(options: CandidateOptions): ModelCandidate {
    this.record(`${options.id} starts`);
    const candidate = new ModelCandidate(this, options);
    this.candidates.push(candidate);
    return candidate;
  }

  /** Lets time pass, at most until `done`, and checks after everything that happens. */
  async run(duration: number, done: () => boolean = () => false): Promise<boolean> {
    const end = this.time.now + duration;
    await settled();
    while (this.violations.length === 0 && !done()) {
      if (!this.time.step(end)) return false;
      if (!this.touched) continue;
      const candidate = this.touched;
      this.touched = undefined;
      await settled();
      candidate.check();
      this.checkLeaders();
      if (candidate.leads) this.write(candidate);
    }
    return true;
  }

  /** Called after each run of a candidate's code. */
  touch(candidate: ModelCandidate): void {
    this.touched = candidate;
  }

  /** At any moment one lease is valid at most. */
  checkLeaders(): void {
    const leaders = this.candidates.filter(({ leads }) => leads);
    if (leaders.length > 1)
      this.violated(
        `two lead: ${leaders.map(({ id, elector }) => `${id} in ${elector.lease?.term}`).join(', ')}`,
      );
  }

  /** What the whole history shows. */
  checkHistory(): void {
    const grants = this.candidates.flatMap((candidate) => candidate.grants);
    for (const problem of checkHistory(grants, this.resource.writes)) this.violated(problem);
  }

  /** The candidate that leads, when all that run agree on it. */
  agreed(): ModelCandidate | undefined {
    const running = this.candidates.filter(({ process }) => process.alive);
    const leader = running.find(({ leads }) => leads);
    const term = leader?.elector.lease?.term;
    return leader &&
      running.every(({ elector }) => elector.leaderId === leader.candidateId && elector.term === term)
      ? leader
      : undefined;
  }

  /** Something reaches a candidate by the connection for news, which may lose it. */
  tell(candidate: ModelCandidate, news: () => void): void {
    const { network, process, store } = candidate;
    if (!store.connection.passes || this.dice.happens(network.loss)) return;
    this.time.after(this.dice.between(...network.latency), () => process.input(news));
  }

  record(what: string): void {
    this.log.push(`${this.time.now.toFixed(1).padStart(9)}  ${what}`);
    if (this.log.length > LOG) this.log.shift();
  }

  violated(what: string): void {
    if (this.violations.includes(what)) return;
    this.record(`VIOLATED: ${what}`);
    this.violations.push(what);
  }

  /** The leader writes under its term; the write takes its time, also beyond the term. */
  private write({ id, elector }: ModelCandidate): void {
    const term = elector.lease?.term;
    if (term === undefined || !this.dice.happens(0.2)) return;
    this.time.after(this.dice.between(0, 300), () => this.resource.write(id, term));
  }
}

/** Until all code that can run has run. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
