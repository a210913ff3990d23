/**
 * Keeps the record of a group's leader in Redis.
 *
 * @example
 * ```ts
 * import { RedisLeaderStore } from '@detector-cluster/group-membership/redis';
 *
 * const store = new RedisLeaderStore({ redis: 'redis://localhost:6379' });
 * ```
 * @packageDocumentation
 */
import { RedisScript, slotSource } from '@detector-cluster/election/internal/redis';
import {
  boundedCall,
  closeRedis,
  commandSettings,
  openRedis,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { TextLeaderStore } from './text-leader-store.js';
import * as scripts from './scripts.generated.js';

export interface RedisLeaderStoreOptions {
  readonly redis: RedisSource;
  /** Default `group-membership:leader`. Each group needs its own. */
  readonly key?: string;
  /** Timeout of each command. Milliseconds; default 2,000. */
  readonly commandTimeout?: number;
}

/** Keeps the record in Redis 6.2 or newer, or Valkey. Connects at once, in the background. */
export class RedisLeaderStore extends TextLeaderStore {
  private readonly redis: Redis;
  private readonly key: string;
  private readonly timeout: number;
  private readonly swapScript = new RedisScript<number>(scripts.swap, { allowOom: true });

  constructor(options: RedisLeaderStoreOptions) {
    super();
    const { redis, key = 'group-membership:leader', commandTimeout = 2_000 } = options;
    this.key = key;
    this.timeout = commandTimeout;
    this.redis = openRedis(slotSource(redis, 'key', key), {
      ...commandSettings,
      commandTimeout,
      connectionName: 'group-membership:record',
    });
  }

  read(): Promise<string | null> {
    return boundedCall(this.redis, this.timeout, () => this.redis.get(this.key));
  }

  async swap(expected: string | null, next: string): Promise<boolean> {
    const swap = () => this.swapScript.run(this.redis, [this.key], [expected ?? '', next]);
    return (await boundedCall(this.redis, this.timeout, swap)) === 1;
  }

  protected async write(text: string): Promise<void> {
    await boundedCall(this.redis, this.timeout, () => this.redis.set(this.key, text));
  }

  cleanup(): Promise<void> {
    closeRedis(this.redis);
    return Promise.resolve();
  }
}
