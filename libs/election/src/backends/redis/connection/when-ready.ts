import type { Redis } from 'ioredis';

/** The store cannot be reached; what was asked of it was not sent. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
  readonly code = 'STORE_UNREACHABLE';

  constructor(status: string) {
    super(`Redis cannot be reached (${status})`);
  }
}

/**
 * Resolves when `redis` takes commands. Rejects with {@link StoreUnreachableError} after `timeout` ms, or as soon as an
 * attempt to connect has failed.
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
    const failed = (error: Error) => settle(new StoreUnreachableError(error.message || redis.status));
    const ended = () => settle(new StoreUnreachableError('connection closed'));
    const timer = setTimeout(() => settle(new StoreUnreachableError(redis.status)), timeout);
    redis.once('ready', ready);
    redis.once('error', failed);
    redis.once('end', ended);
    if (redis.status === 'end') ended();
  });
}
