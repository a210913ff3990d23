import { describe, expect, it } from 'vitest';
import { decodeGrayJpeg } from '../../../../libs/worker-protocol/src/fixtures/decode-gray-jpeg.fixture.js';
import { cameraPicture, drawText, sceneOf } from './scene.js';

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
