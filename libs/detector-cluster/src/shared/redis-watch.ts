import { systemClock, type Clock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import { toStoreError } from '@detector-cluster/election/internal/redis';
import {
  boundedCall,
  COMMAND_TIMEOUT,
  StoreError,
  StoreUnreachableError,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

/** A time in which Redis did not answer this process. Milliseconds since 1970, by the clock of this process. */
export interface RedisOutage {
  readonly since: number;
  readonly until: number;
}

/** Between two attempts while Redis does not answer. Milliseconds. */
const PAUSE = 250;

export interface RedisWatchOptions {
  /** Resolves with true if Redis answers now. Never rejects. */
  readonly answers: () => Promise<boolean>;
  readonly onEnd: (outage: RedisOutage) => void;
  readonly clock?: Clock;
}

/**
 * Detects outages of Redis: a failure, followed by a PING without an answer. A connection that breaks and is open again at
 * once is no outage, and neither are the timeouts of a process that was itself suspended.
 */
export class RedisWatch {
  private readonly abort = new AbortController();
  private readonly clock: Clock;
  private looking = false;

  constructor(private readonly options: RedisWatchOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** A command or a connection has failed. */
  failed(): void {
    if (this.looking || this.abort.signal.aborted) return;
    this.looking = true;
    void this.look();
  }

  close(): void {
    this.abort.abort();
  }

  private async look(): Promise<void> {
    const { signal } = this.abort;
    const began = this.clock.now();
    const since = this.clock.wallNow();
    let outage = false;
    while (!signal.aborted) {
      if (await this.options.answers()) break;
      outage = true;
      await pause(PAUSE, this.clock, signal);
    }
    this.looking = false;
    if (outage && !signal.aborted)
      this.options.onEnd({ since, until: since + Math.round(this.clock.now() - began) });
  }
}

/** Whether Redis answers a PING. A refusal is an answer, too. */
export async function answersPing(redis: Redis): Promise<boolean> {
  const first = await ping(redis);
  // Another command may have timed out in the meantime, and had the connection dialled again.
  return (first === 'CONNECTION_LOST' ? await ping(redis) : first) === null;
}

/** Null if Redis answers, otherwise the code of the failure. */
async function ping(redis: Redis): Promise<string | null> {
  try {
    await boundedCall(redis, COMMAND_TIMEOUT, () => redis.ping());
    return null;
  } catch (thrown) {
    const error = toStoreError(thrown);
    if (error instanceof StoreUnreachableError) return error.code;
    return error instanceof StoreError && NO_ANSWER.has(error.code) ? error.code : null;
  }
}

/** The server is not ready yet, or did not answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(['TIMEOUT', 'CONNECTION_LOST', 'LOADING']);
