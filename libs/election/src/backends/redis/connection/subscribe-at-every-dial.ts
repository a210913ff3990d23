import type { Redis } from 'ioredis';
import { redial } from './redis-connection.js';
import { StoreError, toStoreError } from './store.error.js';

interface Silence {
  /** How often to ask. Milliseconds. */
  readonly interval: number;
  /** The connection is dialled again after this time without an answer. Milliseconds. */
  readonly limit: number;
}

/** Messages that are missed are hints only: the process that waits for them also looks by itself, from time to time. */
const HINTS: Silence = { interval: 5_000, limit: 10_000 };

/**
 * Asks a connection that otherwise only listens whether the other side is still there. A server that was cut off says no
 * goodbye, and TCP takes minutes to find out. Ends with the connection.
 */
export function watchSilence(redis: Redis, { interval, limit }: Silence = HINTS): void {
  let answered = performance.now();
  let ticked = answered;
  const answer = () => (answered = performance.now());
  const tick = () => {
    const now = performance.now();
    const open = redis.status === 'ready' || redis.status === 'connect';
    // After a pause of this process itself the answers may still be waiting to be read.
    if (!open || now - ticked > interval * 1.5) answered = now;
    ticked = now;
    if (now - answered >= limit) {
      answered = now;
      redial(redis);
    } else if (redis.status === 'ready') redis.ping().then(answer, () => undefined);
  };
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    answer();
    ticked = answered;
    // The connection keeps the process alive, not the look at it.
    timer ??= setInterval(tick, interval).unref();
  };
  redis.on('connect', start);
  redis.on('ready', answer);
  redis.on('end', () => {
    clearInterval(timer);
    timer = undefined;
  });
  if (redis.status === 'ready' || redis.status === 'connect') start();
}

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
