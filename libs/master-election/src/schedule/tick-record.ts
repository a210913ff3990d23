import { RedisScript } from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { enterTicks, startTick } from './scripts/scripts.generated.js';

/** A request to start a tick. */
export interface TickStart {
  readonly job: string;
  /** The scheduled time. */
  readonly tick: number;
  /** Term of the lease of the run. */
  readonly term: number;
  /** Unique for each request; a retry has the same value. */
  readonly run: string;
}

/**
 * `started`: recorded now, run the tick. `repeated`: a process has already started this tick or a later one. `deposed`: the master
 * of a later term has used the record. `early`: the tick is not due yet by the clock of the record; nothing was recorded.
 */
export type TickOutcome = 'started' | 'repeated' | 'deposed' | 'early';

/**
 * Records which ticks have been started in the cluster. Its clock decides when a tick is due, because the clocks of processes may
 * differ. Times are milliseconds since 1970.
 */
export interface TickRecord {
  /**
   * Records a start if no process has recorded it before. Safe to repeat. Rejects when the outcome is unknown.
   * @returns the outcome, and the time of the record
   */
  start(start: TickStart): Promise<{ readonly outcome: TickOutcome; readonly now: number }>;

  /**
   * Returns the last started tick of a job, from which a master of this term catches up, and the time of the record. If no tick is
   * known, records the present time as the last one. Returns `null` when the master of a later term has used the record.
   */
  enter(job: string, term: number): Promise<{ readonly tick: number; readonly now: number } | null>;
}

const startScript = new RedisScript<[code: number, now: string]>(startTick);
const enterScript = new RedisScript<[tick: string, now: string] | null>(enterTicks);

const OUTCOMES: Readonly<Record<number, TickOutcome>> = {
  1: 'started',
  0: 'repeated',
  [-1]: 'deposed',
  [-2]: 'early',
};

/** The record in Redis: one permanent hash per job, `<lockName>:cron:<job>`. Every call is bounded in time. */
export class RedisTickRecord implements TickRecord {
  constructor(
    private readonly redis: Redis,
    private readonly lockName: string,
  ) {}

  async start({ job, tick, term, run }: TickStart) {
    const [code, now] = await this.bounded(() =>
      startScript.run(this.redis, [this.key(job)], [tick, term, run]),
    );
    return { outcome: OUTCOMES[code]!, now: Number(now) };
  }

  async enter(job: string, term: number) {
    const reply = await this.bounded(() => enterScript.run(this.redis, [this.key(job)], [term]));
    return reply && { tick: Number(reply[0]), now: Number(reply[1]) };
  }

  private key(job: string): string {
    return `${this.lockName}:cron:${job}`;
  }

  private bounded<Reply>(call: () => Promise<Reply>): Promise<Reply> {
    return boundedCall(this.redis, COMMAND_TIMEOUT, call);
  }
}
