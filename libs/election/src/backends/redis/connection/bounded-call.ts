import type { Redis } from 'ioredis';
import { withTimeout } from '../../../lease/bounded.js';
import { systemClock } from '../../../util/clock.js';
import { getOrInsertComputed } from '../../../util/get-or-insert-computed.js';
import { lastFailure, StoreError, StoreUnreachableError, toStoreError } from './store.error.js';
import { redial } from './redis-connection.js';

/** The outcome of the current attempt to connect; `undefined` if it succeeds. */
type Outcome = Error | undefined;

/** All callers that wait for a connection share one outcome: while a server is unavailable there may be many. */
const outcomes = new WeakMap<Redis, Promise<Outcome>>();

/**
 * Resolves when `redis` takes commands. Rejects after `timeout` ms, or as soon as an attempt to connect has failed: with
 * {@link StoreError} when the server refuses the connection, else with {@link StoreUnreachableError}.
 */
export async function whenReady(redis: Redis, timeout: number): Promise<void> {
  if (redis.status === 'ready') return;
  if (redis.status === 'end') throw new StoreUnreachableError('connection closed');
  const failure = await withTimeout(
    getOrInsertComputed(outcomes, redis, nextOutcome),
    timeout,
    systemClock,
    () => {
      const last = lastFailure(redis);
      return refusal(last) ?? new StoreUnreachableError(last?.message || redis.status, last);
    },
  );
  if (failure) throw failure;
}

function nextOutcome(redis: Redis): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (failure: Outcome) => {
      outcomes.delete(redis);
      redis.off('ready', ready);
      redis.off('error', failed);
      redis.off('end', ended);
      resolve(failure);
    };
    const ready = () => settle(undefined);
    const failed = (error: Error) =>
      settle(refusal(error) ?? new StoreUnreachableError(error.message, error));
    const ended = () => settle(new StoreUnreachableError('connection closed'));
    redis.once('ready', ready);
    redis.once('error', failed);
    redis.once('end', ended);
  });
}

function refusal(error: Error | undefined): StoreError | undefined {
  if (error instanceof StoreError) return error;
  return error?.name === 'ReplyError' ? (toStoreError(error) as StoreError) : undefined;
}

/**
 * Waits at most `timeout` ms for the connection, and then for the call, whose own bound is the connection's
 * `commandTimeout`. Redis may have applied a call that timed out, or may still apply it. The connection is dialled again, because
 * a link that has gone silent stays silent for minutes.
 *
 * @throws StoreUnreachableError, StoreError
 */
export async function boundedCall<Reply>(
  redis: Redis,
  timeout: number,
  call: () => Promise<Reply>,
): Promise<Reply> {
  await whenReady(redis, timeout);
  try {
    return await call();
  } catch (thrown) {
    const error = toStoreError(thrown);
    if (error instanceof StoreError && error.code === 'TIMEOUT') redial(redis);
    throw error;
  }
}
