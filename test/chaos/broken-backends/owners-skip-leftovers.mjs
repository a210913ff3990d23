// The journalled service with owners that begin at the end of a partition instead of its beginning.
import { RedisLogSource } from '../../../libs/delivery/dist/log/redis-log-source.js';

const { read } = RedisLogSource.prototype;
RedisLogSource.prototype.read = function (cursors, ...rest) {
  const skipping = cursors.map(({ log, cursor }) => ({ log, cursor: cursor === '0-0' ? '$' : cursor }));
  return read.call(this, skipping, ...rest);
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
