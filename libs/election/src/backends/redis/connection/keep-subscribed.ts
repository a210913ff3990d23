import type { Redis } from 'ioredis';

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
  const subscribe = () => redis.subscribe(...channels).then(onSubscribed, () => redis.disconnect(true));
  redis.on('ready', () => void subscribe());
  if (redis.status === 'ready') void subscribe();
}
