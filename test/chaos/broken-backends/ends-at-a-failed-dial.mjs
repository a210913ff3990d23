// The journalled service, which does not survive a dial of a worker that this process cannot even begin.
import { DetectorConnection } from '../../../libs/detector-cluster/dist/workers/detector-connection.js';

const { initialize } = DetectorConnection.prototype;
DetectorConnection.prototype.initialize = function () {
  this.on('socketError', (error) => {
    if (error.code === 'EMFILE') process.exit(1);
  });
  initialize.call(this);
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
