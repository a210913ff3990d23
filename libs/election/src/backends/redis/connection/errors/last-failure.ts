import type { Redis } from 'ioredis';
import { StoreError } from './store.error.js';

const failures = new WeakMap<Redis, Error>();

/** Remembers why a connection does not come about, for those who ask between two attempts. */
export function rememberFailures(redis: Redis): void {
  redis.on('error', (error: Error) => failures.set(redis, error));
  redis.on('ready', () => failures.delete(redis));
  // The client waits until the server has loaded its data, and does not say that it does.
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

/** Why the last attempt to connect has failed, or takes so long; `undefined` when neither is the case. */
export function lastFailure(redis: Redis): Error | undefined {
  return failures.get(redis);
}
