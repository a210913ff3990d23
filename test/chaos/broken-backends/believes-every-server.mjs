// The journalled service with a master that takes what a database says, although an earlier read had more.
import { CertainReads } from '../../../libs/detector-cluster/dist/term/certain-reads.js';

CertainReads.prototype.judge = async () => undefined;
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
