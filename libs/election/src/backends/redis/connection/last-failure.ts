import type { Redis } from 'ioredis';

const failures = new WeakMap<Redis, Error>();

/** Remembers why a connection does not come about, for those who ask between two attempts. */
export function rememberFailures(redis: Redis): void {
  redis.on('error', (error: Error) => failures.set(redis, error));
  redis.on('ready', () => failures.delete(redis));
}

/** Why the last attempt to connect has failed; `undefined` when it has not. */
export function lastFailure(redis: Redis): Error | undefined {
  return failures.get(redis);
}
