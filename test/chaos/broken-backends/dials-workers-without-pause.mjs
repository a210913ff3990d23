// The journalled service with a master that dials a worker again at once.
import { DetectorConnection } from '../../../libs/detector-cluster/dist/workers/detector-connection.js';

DetectorConnection.prototype.scheduleRedial = function () {
  if (this.phase !== 'running') return;
  clearTimeout(this.redial);
  this.redial = setTimeout(() => void this.connect(), 0);
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
