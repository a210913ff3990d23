import { RedisScript } from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { enterTicks, startTick } from './scripts.generated.js';
import type { TickOutcome, TickRecord, TickStart } from './tick-record.js';

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
