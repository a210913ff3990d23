import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config/app-config.js';

/** Commands of this service fail soon instead of waiting for a server that is away; the connection itself retries. */
const settings = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 1_000,
  connectTimeout: 2_000,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 1_000),
} satisfies RedisOptions;

/** The same address in the form that every part of the cluster takes. */
export function redisSource(address: RedisAddress): string | RedisOptions {
  return 'url' in address ? address.url : address;
}

/** Opens the connection this service looks at Redis with. Errors show in the commands. */
export function openRedisClient(address: RedisAddress): Redis {
  const redis = 'url' in address ? new Redis(address.url, settings) : new Redis({ ...address, ...settings });
  redis.on('error', () => undefined);
  return redis;
}
