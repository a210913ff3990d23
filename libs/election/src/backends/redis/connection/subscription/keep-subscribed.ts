import type { Redis } from 'ioredis';
import { subscribeAtEveryDial } from './subscribe-at-every-dial.js';
import { watchSilence } from './watch-silence.js';

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
