import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeGrayJpeg } from './fixtures/decode-gray-jpeg.fixture.js';
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
