import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeGrayJpeg } from '../fixtures/decode-gray-jpeg.fixture.js';
import { cameraPicture } from './camera-picture.js';
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
      width: 128,
      height: 96,
      comment: 'camera camera-7',
    });
  });

  it('takes a camera with a name of any length', () => {
    expect(decodeGrayJpeg(cameraPicture('c'.repeat(100_000))).width).toBe(128);
  });
});
