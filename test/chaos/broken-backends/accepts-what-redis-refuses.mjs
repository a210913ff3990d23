// The journalled service with a master that calls detections accepted although Redis has refused them, or has not answered.
import { FencedError } from '../../../libs/election/dist/fence/fenced.error.js';
import { RedisLogStore } from '../../../libs/delivery/dist/log/redis-log-store.js';

const { append } = RedisLogStore.prototype;
RedisLogStore.prototype.append = function (batches, options) {
  return append.call(this, batches, options).catch((error) => {
    if (error instanceof FencedError) throw error;
    return batches.map(({ messages }) => {
      return { code: 'done', accepted: messages.length, present: 0, entries: 0, bytes: 0, dropped: 0 };
    });
  });
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
