import { Redis, type RedisOptions } from 'ioredis';

/** Where Redis is: a URL, ioredis options, or an instance whose settings are copied (the instance itself is not used). */
export type RedisSource = string | RedisOptions | Redis;

/** Commands that hang longer than this count as "maybe applied". Milliseconds. */
export const COMMAND_TIMEOUT = 1_000;

/** Full speed first, capped low: a blip must not cost a lease. Milliseconds. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  return Math.min(25 * 2 ** Math.min(attempt, 10), 250) + Math.floor(random() * 50);
}

/** A link that has gone silent is dropped, not waited for: neither a new dial nor the end of the process hangs on it. */
const DISCONNECT_TIMEOUT = 250;

/**
 * Settings under which a failed command is known to be failed: nothing is queued while offline, nothing is sent twice
 * behind the caller's back, and every call is bounded in time.
 */
export const commandSettings = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT,
  connectTimeout: 3_000,
  disconnectTimeout: DISCONNECT_TIMEOUT,
  retryStrategy: (attempt: number) => reconnectDelay(attempt),
} satisfies RedisOptions;

/** Settings for a connection that only subscribes or blocks: it may wait. Subscribe with `keepSubscribed`. */
export const blockingSettings = {
  enableOfflineQueue: true,
  autoResubscribe: false,
  maxRetriesPerRequest: null,
  connectTimeout: 3_000,
  disconnectTimeout: DISCONNECT_TIMEOUT,
  retryStrategy: (attempt: number) => reconnectDelay(attempt),
} satisfies RedisOptions;

/** Opens a connection of the given settings. It connects in the background; errors reach `onError`, never the process. */
export function openRedis(
  source: RedisSource,
  settings: RedisOptions,
  onError: (error: Error) => void = () => undefined,
): Redis {
  const all = { ...settings, lazyConnect: false };
  const redis =
    typeof source === 'string'
      ? new Redis(source, all)
      : source instanceof Redis
        ? source.duplicate(all)
        : new Redis({ ...source, ...all });
  redis.on('error', onError);
  return redis;
}

/** Closes without waiting for a server that may be away. Idempotent. */
export function closeRedis(redis: Redis): void {
  redis.disconnect(false);
}
