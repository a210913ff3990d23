// The journalled service with a master that calls detections accepted although Redis has refused them.
import { RedisLogStore } from '../../../libs/delivery/dist/log/redis-log-store.js';

const { append } = RedisLogStore.prototype;
RedisLogStore.prototype.append = function (batches, options) {
  return append.call(this, batches, options).catch((error) => {
    if (!/MISCONF|OOM/.test(error.message)) throw error;
    return batches.map(({ messages }) => {
      return { code: 'done', accepted: messages.length, present: 0, entries: 0, bytes: 0, dropped: 0 };
    });
  });
};
await import('../../../tools/chaos/dist/journal/journalled-backend.child.js');
