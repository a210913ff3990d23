// The reference service with a master that does not hear what the database tells it of writes.
import { MasterChangeFeed } from '../../../libs/detector-cluster/dist/trigger/change-feed/master-change-feed.js';

MasterChangeFeed.prototype.onModuleInit = async () => undefined;
await import('../../../apps/cms-backend/dist/main.js');
