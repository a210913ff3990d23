import type { Redis } from 'ioredis';
import { toStoreError } from './to-store-error.js';

interface Queues {
  flushQueue(error: Error, options?: object): void;
}

/**
 * Rejects commands without a reply, whose connection broke, with a `StoreError` that says so. ioredis rejects them with "Reached the max
 * retries per request limit (which is 0)", although it retries nothing with these settings.
 */
export function sayConnectionLost(redis: Redis): void {
  const queues = redis as unknown as Queues;
  const flush = queues.flushQueue.bind(redis);
  queues.flushQueue = (error, options) =>
    flush(error.name === 'MaxRetriesPerRequestError' ? (toStoreError(error) as Error) : error, options);
}
