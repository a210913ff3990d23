// The journalled service of a later version, which writes its formats although earlier versions run.
import { understandLevel2 } from '../later-backends/level-2.mjs';

understandLevel2({ atOnce: true });
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
