import {
  blockingSettings,
  closeRedis,
  keepSubscribed,
  openRedis,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { RouterContext } from './router-context.js';

/**
 * Tells the parts of a router to look at Redis again: when a process says so on their channel, and every now and then,
 * because what is said on a channel can be lost.
 * @param looks by channel
 * @param lookUnasked at what no channel tells of
 */
export function watchHints(
  source: RedisSource,
  context: RouterContext,
  looks: Readonly<Record<string, () => void>>,
  lookUnasked: () => void,
): void {
  const lookAtAll = () => {
    for (const look of Object.values(looks)) look();
  };
  const subscriber = openRedis(source, blockingSettings);
  subscriber.on('message', (channel: string) => looks[channel]?.());
  keepSubscribed(subscriber, Object.keys(looks), lookAtAll);
  const poll = setInterval(() => {
    lookAtAll();
    lookUnasked();
  }, context.options.lookInterval);
  const close = () => {
    clearInterval(poll);
    closeRedis(subscriber);
  };
  context.signal.addEventListener('abort', close, { once: true });
}
