import type { Redis } from 'ioredis';
import { redial } from './redial.js';
import { watchSilence } from './watch-silence.js';

/** News that are missed are hints only: whoever waits for them also looks by itself, from time to time. */
const SILENCE = { interval: 5_000, limit: 10_000 };

/**
 * Subscribes a connection of `blockingSettings` to channels each time it is dialled. The client's own resubscription leaves
 * its failure unhandled: a connection closed at that moment would end the process.
 *
 * @param onSubscribed Called each time the subscription stands; what was published before is lost.
 */
export function keepSubscribed(
  redis: Redis,
  channels: readonly string[],
  onSubscribed: () => void = () => undefined,
): void {
  const subscribe = () => redis.subscribe(...channels).then(onSubscribed, () => redial(redis));
  redis.on('ready', () => void subscribe());
  if (redis.status === 'ready') void subscribe();
  watchSilence(redis, SILENCE);
}
