import { commandSettings, type DirectRedisSource } from '@detector-cluster/election/redis';
import { Redis, type RedisOptions } from 'ioredis';

/** Milliseconds. */
const RETRY_DELAY = 200;

/**
 * What Nest's Redis transport needs of a source. Its own retry settings are given because it replaces any
 * `retryStrategy`, and without `retryAttempts` it stays deaf after the first restart of Redis.
 */
export function transportOptions(
  source: DirectRedisSource,
  settings: RedisOptions = commandSettings,
): Omit<RedisOptions, 'retryStrategy'> & { retryAttempts: number; retryDelay: number } {
  const { retryStrategy: _replaced, ...options } = { ...parse(source), ...settings };
  return { ...options, retryAttempts: Number.MAX_SAFE_INTEGER, retryDelay: RETRY_DELAY };
}

/** The transport knows no URLs: the client library reads them, without connecting. */
function parse(source: DirectRedisSource): RedisOptions {
  if (source instanceof Redis) return source.options;
  return typeof source === 'string' ? new Redis(source, { lazyConnect: true }).options : source;
}
