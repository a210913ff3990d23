// The journalled service with a master that calls detections accepted although Redis has refused them, or has not answered.
import { FencedError } from '../../../libs/election/dist/fence/fenced.error.js';
import { RedisLogStore } from '../../../libs/delivery/dist/log/redis-log-store.js';

const { append } = RedisLogStore.prototype;
RedisLogStore.prototype.append = function (appends, options) {
  return append.call(this, appends, options).catch((error) => {
    if (error instanceof FencedError) throw error;
    return appends.map(({ origins }) => {
      return { code: 'done', accepted: origins.length, present: 0, detections: 0, bytes: 0, dropped: 0 };
    });
  });
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
