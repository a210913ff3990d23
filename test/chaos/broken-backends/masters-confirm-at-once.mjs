// The journalled service with masters that confirm a detection when they have read it, and not when Redis has it.
import { SettledWatermark } from '../../../libs/delivery/dist/send/settled-watermark.js';

Object.defineProperty(SettledWatermark.prototype, 'upTo', {
  get() {
    return this.last;
  },
});
await import('../../../tools/chaos/dist/journal/journalled-backend.child.js');
