import type { Redis } from 'ioredis';
import { StoreError, toStoreError } from '../errors/store.error.js';
import { redial } from '../redis-connection.js';
import { watchSilence } from './watch-silence.js';

/** A missing permission is not granted within milliseconds. */
const REFUSED_PAUSE = 5_000;

/**
 * Subscribes a connection of `blockingSettings` each time it is dialled. The client's own resubscription leaves its failure
 * unhandled: a connection closed at that moment would end the process.
 *
 * @param onSubscribed Called each time the subscription is established.
 * @param onRefused Called with each refusal for lack of a permission; the next attempt follows after 5 s.
 * @returns a function that ends this without closing the connection
 */
export function subscribeAtEveryDial(
  redis: Redis,
  subscribe: () => Promise<unknown>,
  onSubscribed: () => void,
  onRefused: (error: Error) => void = () => undefined,
): () => void {
  let pause: NodeJS.Timeout | undefined;
  let stopped = false;
  const succeeded = () => {
    if (!stopped) onSubscribed();
  };
  const failed = (reason: unknown) => {
    if (stopped) return;
    const error = toStoreError(reason);
    if (!(error instanceof StoreError && error.code === 'NOPERM')) return redial(redis);
    onRefused(error);
    pause = setTimeout(attempt, REFUSED_PAUSE);
  };
  const attempt = () => {
    clearTimeout(pause);
    subscribe().then(succeeded, failed);
  };
  const cancel = () => clearTimeout(pause);
  redis.on('ready', attempt).on('close', cancel).on('end', cancel);
  if (redis.status === 'ready') attempt();
  return () => {
    stopped = true;
    cancel();
    redis.off('ready', attempt).off('close', cancel).off('end', cancel);
  };
}

/**
 * Keeps a connection of `blockingSettings` subscribed to channels, through cuts and silence.
 *
 * @param onSubscribed Called each time the subscription is established. Messages published before are lost.
 */
export function keepSubscribed(
  redis: Redis,
  channels: readonly string[],
  onSubscribed: () => void = () => undefined,
): void {
  subscribeAtEveryDial(redis, () => redis.subscribe(...channels), onSubscribed);
  watchSilence(redis);
}
