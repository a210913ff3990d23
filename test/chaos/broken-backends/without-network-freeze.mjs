// The reference service with a master that moves subscriptions also when most workers vanished at once.
import { NetworkFreeze } from '../../../libs/detector-cluster/dist/workers/network-freeze.js';

NetworkFreeze.prototype.update = () => false;
await import('../../../apps/cms-backend/dist/main.js');
