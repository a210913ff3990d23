// The reference service with a master that ignores the writes that the database announces.
import { MasterChangeFeed } from '../../../libs/detector-cluster/dist/node/master-change-feed.js';

MasterChangeFeed.prototype.onModuleInit = async () => undefined;
await import('../../../apps/cms-backend/dist/main.js');
