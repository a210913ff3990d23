import type { Redis } from 'ioredis';
import { redial } from '../redis-connection.js';

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
