// The journalled service with a master that calls the next detections accepted, without sending them, when Redis was slow.
import { RedisLogStore } from '../../../libs/delivery/dist/log/redis-log-store.js';

const SLOW = 100;
const { append } = RedisLogStore.prototype;
let wasSlow = false;
RedisLogStore.prototype.append = async function (batches, options) {
  if (wasSlow) {
    wasSlow = false;
    return batches.map(({ messages }) => {
      return { code: 'done', accepted: messages.length, present: 0, entries: 0, bytes: 0, dropped: 0 };
    });
  }
  const begun = performance.now();
  const results = await append.call(this, batches, options);
  wasSlow = performance.now() - begun > SLOW;
  return results;
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
