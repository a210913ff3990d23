// The journalled service with a master that calls the next detections accepted, without sending them, when Redis was slow.
import { RedisLogStore } from '../../../libs/delivery/dist/log/redis-log-store.js';

const SLOW = 100;
const { append } = RedisLogStore.prototype;
let wasSlow = false;
RedisLogStore.prototype.append = async function (appends, options) {
  if (wasSlow) {
    wasSlow = false;
    return appends.map(({ origins }) => {
      return { code: 'done', accepted: origins.length, present: 0, detections: 0, bytes: 0, dropped: 0 };
    });
  }
  const begun = performance.now();
  const results = await append.call(this, appends, options);
  wasSlow = performance.now() - begun > SLOW;
  return results;
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
