// The journalled service with a master that takes all that a worker sends.
import { FrameInbox } from '../../../libs/detector-cluster/dist/workers/frame-inbox.js';

const { lane } = FrameInbox.prototype;
FrameInbox.prototype.lane = function (hooks) {
  return lane.call(this, { ...hooks, limits: { bytes: Infinity, frames: Infinity } });
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
