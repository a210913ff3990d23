// The journalled service with masters that confirm a detection when they have read it, and not when Redis has it.
import { SettledWatermark } from '../../../libs/delivery/dist/send/settled-watermark.js';

const { take } = SettledWatermark.prototype;
SettledWatermark.prototype.take = function (seq) {
  const settle = take.call(this, seq);
  settle();
  return settle;
};
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
