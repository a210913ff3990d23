import type { Redis } from 'ioredis';
import { lastFailure } from './errors/last-failure.js';
import { StoreError } from './errors/store.error.js';
import { StoreUnreachableError } from './errors/store-unreachable.error.js';
import { toStoreError } from './errors/to-store-error.js';

/**
 * Resolves when `redis` takes commands. Rejects after `timeout` ms, or as soon as an attempt to connect has failed: with
 * {@link StoreError} when the server refuses the connection, else with {@link StoreUnreachableError}.
 */
export function whenReady(redis: Redis, timeout: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer);
      redis.off('ready', ready);
      redis.off('error', failed);
      redis.off('end', ended);
      if (error) reject(error);
      else resolve();
    };
    const ready = () => settle();
    const failed = (error: Error) =>
      settle(refusal(error) ?? new StoreUnreachableError(error.message, error));
    const ended = () => settle(new StoreUnreachableError('connection closed'));
    const late = () => {
      const failure = lastFailure(redis);
      settle(refusal(failure) ?? new StoreUnreachableError(failure?.message || redis.status, failure));
    };
    const timer = setTimeout(late, timeout);
    redis.once('ready', ready);
    redis.once('error', failed);
    redis.once('end', ended);
    if (redis.status === 'end') ended();
  });
}

function refusal(error: Error | undefined): StoreError | undefined {
  if (error instanceof StoreError) return error;
  return error?.name === 'ReplyError' ? (toStoreError(error) as StoreError) : undefined;
}
