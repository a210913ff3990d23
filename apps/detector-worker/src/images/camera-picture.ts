import { createHash } from 'node:crypto';
import { grayJpeg } from './gray-jpeg.js';

const WIDE = 16;
const HIGH = 12;

/** A 128 × 96 test picture that is the same for one camera and different for every other. */
export function cameraPicture(cameraId: string): Buffer {
  const pattern = createHash('sha256').update(cameraId).digest();
  const levels = Array.from({ length: HIGH }, (_, row) =>
    Array.from({ length: WIDE }, (_, column) => {
      // Mirrored left to right, which makes the patterns easy to tell apart by eye.
      const mirrored = Math.min(column, WIDE - 1 - column);
      return 32 + (pattern[(row * (WIDE / 2) + mirrored) % pattern.length]! >> 1);
    }),
  );
  return grayJpeg(levels, `camera ${cameraId}`);
}
