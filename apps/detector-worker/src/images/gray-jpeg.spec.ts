import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeGrayJpeg } from '../fixtures/decode-gray-jpeg.fixture.js';
import { cameraPicture, drawText, sceneOf } from './scene.js';
import { grayJpeg } from './gray-jpeg.js';

describe('grayJpeg', () => {
  it('decodes to the levels it was given', () => {
    const rows = fc.nat({ max: 12 }).chain((width) =>
      fc.array(fc.array(fc.nat({ max: 255 }), { minLength: width + 1, maxLength: width + 1 }), {
        minLength: 1,
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(rows, fc.string(), (levels, comment) => {
        expect(decodeGrayJpeg(grayJpeg(levels, comment))).toEqual({
          width: levels[0]!.length * 8,
          height: levels.length * 8,
          comment: Buffer.from(comment).toString(),
          levels: levels.flat(),
        });
      }),
    );
  });
});

describe('cameraPicture', () => {
  it('is the same for one camera, another for each other, and names it', () => {
    const pictures = Array.from({ length: 50 }, (_, i) => cameraPicture(`camera-${i}`));
    expect(new Set(pictures.map((picture) => decodeGrayJpeg(picture).levels.join())).size).toBe(50);
    expect(pictures[7]!.equals(cameraPicture('camera-7'))).toBe(true);
    expect(decodeGrayJpeg(pictures[7]!)).toMatchObject({
      width: 640,
      height: 480,
      comment: 'camera camera-7',
    });
  });

  it('shows the plate of the detection in dark on bright, in the box of the plate', () => {
    for (const sequence of [0, 1, 36, 9_999, 123_456_789]) {
      const { levels } = decodeGrayJpeg(cameraPicture('c1', sequence));
      const { boxes, plate } = sceneOf('c1', sequence);
      const { x, y, width, height } = boxes[1];
      let inked = 0;
      for (let row = y / 8; row < (y + height) / 8; row++)
        for (let column = x / 8; column < (x + width) / 8; column++) {
          const level = levels[row * 80 + column]!;
          expect([10, 250]).toContain(level);
          if (level === 10) inked++;
        }
      let ink = 0;
      drawText(plate, () => ink++);
      expect(inked).toBe(ink);
    }
  });

  it('keeps the car within the picture, and moves it', () => {
    const columns = Array.from({ length: 100 }, (_, sequence) => sceneOf('c1', sequence).boxes[0]);
    for (const { x, width } of columns) expect(x >= 0 && x + width <= 640).toBe(true);
    expect(new Set(columns.map(({ x }) => x)).size).toBeGreaterThan(20);
  });

  it('takes a camera with a name of any length', () => {
    expect(decodeGrayJpeg(cameraPicture('c'.repeat(100_000))).width).toBe(640);
  });
});
