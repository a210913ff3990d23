// The journalled service of a later version.
import { understandLevel2 } from './level-2.mjs';

understandLevel2();
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
