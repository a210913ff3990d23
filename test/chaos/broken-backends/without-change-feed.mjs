// The reference service with a master that ignores the writes that the database announces.
import { MasterChangeFeed } from '../../../libs/detector-cluster/dist/trigger/change-feed/master-change-feed.js';

MasterChangeFeed.prototype.onModuleInit = async () => undefined;
await import('../../../apps/cms-backend/dist/main.js');
