// The reference service with a master that dials all workers at the same time.
import { DialLimiter } from '../../../libs/detector-cluster/dist/workers/dial-limiter.js';

DialLimiter.prototype.acquire = async () => () => undefined;
await import('../../../apps/cms-backend/dist/main.js');
