// The journalled service with a master that resolves the name of a worker once.
import { DetectorConnection } from '../../../libs/detector-cluster/dist/workers/detector-connection.js';

const { initialize } = DetectorConnection.prototype;
const known = new Map();
DetectorConnection.prototype.initialize = function () {
  const { lookup } = this.options;
  const lookupOnce = (name, options, callback) => {
    if (known.has(name)) return callback(null, ...known.get(name));
    lookup(name, options, (error, ...found) => {
      if (!error) known.set(name, found);
      callback(error, ...found);
    });
  };
  this.options = { ...this.options, lookup: lookupOnce };
  initialize.call(this);
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
