import type { Redis } from 'ioredis';
import { StoreError } from './store.error.js';

const failures = new WeakMap<Redis, Error>();

/** Remembers why a connection fails, for callers that ask between two attempts. */
export function rememberFailures(redis: Redis): void {
  redis.on('error', (error: Error) => failures.set(redis, error));
  redis.on('ready', () => failures.delete(redis));
  // The client waits silently until the server has loaded its data.
  redis.on('connect', () => {
    redis.info('persistence').then(
      (text) => {
        if (redis.status === 'connect' && /^loading:1/m.test(text))
          failures.set(redis, new StoreError('LOADING', 'Redis is loading its data'));
      },
      () => undefined,
    );
  });
}

/** The error of the last attempt to connect, or the cause of its delay; `undefined` when there is neither. */
export function lastFailure(redis: Redis): Error | undefined {
  return failures.get(redis);
}
