import { setTimeout as sleep } from 'node:timers/promises';
import { toStoreError } from '@detector-cluster/election/internal/redis';
import { StoreError, StoreUnreachableError, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

/** How long a call of the application waits for Redis. Milliseconds. */
const TIMEOUT = 2_000;
const PAUSE = 25;

/** The server has not carried out the command: it belongs elsewhere, or not yet. */
const NOT_HERE: ReadonlySet<string> = new Set([
  'MOVED',
  'READONLY',
  'LOADING',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MASTERDOWN',
]);

/**
 * Makes a call of the application, which should not fail because a connection is being restored or a slot of a Redis Cluster
 * has moved. `call` must be idempotent: it is repeated until it succeeds, fails for another reason, or times out.
 */
export async function retryWhileUnavailable<T>(
  redis: Redis,
  call: () => Promise<T>,
  timeout = TIMEOUT,
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      await whenReady(redis, Math.max(1, deadline - performance.now()));
      return await call();
    } catch (thrown) {
      if (performance.now() + PAUSE >= deadline || !isPassing(thrown)) throw thrown;
      await sleep(PAUSE);
    }
  }
}

function isPassing(thrown: unknown): boolean {
  const error = toStoreError(thrown);
  return error instanceof StoreUnreachableError || (error instanceof StoreError && NOT_HERE.has(error.code));
}
