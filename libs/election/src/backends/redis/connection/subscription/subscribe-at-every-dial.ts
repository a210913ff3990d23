import type { Redis } from 'ioredis';
import { redial } from '../redial.js';
import { StoreError } from '../errors/store.error.js';
import { toStoreError } from '../errors/to-store-error.js';

/** A right that is lacking is not granted within milliseconds. */
const REFUSED_PAUSE = 5_000;

/**
 * Subscribes a connection of `blockingSettings` each time it is dialled. The client's own resubscription leaves its failure
 * unhandled: a connection closed at that moment would end the process.
 *
 * @param onSubscribed Called each time the subscription stands.
 */
export function subscribeAtEveryDial(
  redis: Redis,
  subscribe: () => Promise<unknown>,
  onSubscribed: () => void,
): void {
  let pause: NodeJS.Timeout | undefined;
  const attempt = () => {
    clearTimeout(pause);
    subscribe().then(onSubscribed, (reason: unknown) => {
      const error = toStoreError(reason);
      if (error instanceof StoreError && error.code === 'NOPERM') pause = setTimeout(attempt, REFUSED_PAUSE);
      else redial(redis);
    });
  };
  redis.on('ready', attempt);
  for (const event of ['close', 'end']) redis.on(event, () => clearTimeout(pause));
  if (redis.status === 'ready') attempt();
}
