import { describe, expect, it } from 'vitest';
import { describeCrop, wrongCrops } from './crops.js';

const desired = new Map([
  ['d1;c1', 'left'],
  ['d2;c2', 'right'],
]);
const running = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([subscriptionIdentifier, crop]) => ({ subscriptionIdentifier, crop }));

describe('wrongCrops', () => {
  it.each([
    ['all as desired', running(['d2;c2', 'right'], ['d1;c1', 'left']), []],
    ['an older crop', running(['d1;c1', 'left'], ['d2;c2', 'left']), ['d2;c2']],
    ['a subscription that does not run', running(['d1;c1', 'left']), ['d2;c2']],
    [
      'a subscription that runs twice',
      running(['d1;c1', 'left'], ['d2;c2', 'right'], ['d2;c2', 'right']),
      ['d2;c2'],
    ],
    [
      'a subscription that is not desired',
      running(['d1;c1', 'left'], ['d2;c2', 'right'], ['d3;c3', 'left']),
      ['d3;c3'],
    ],
    ['nothing', [], ['d1;c1', 'd2;c2']],
  ])('finds %s', (_, workers, wrong) => {
    expect(wrongCrops(desired, workers)).toEqual(wrong);
  });
});

describe('describeCrop', () => {
  it('treats null edges as absent', () => {
    const none = { cropX1: null, cropY1: null, cropX2: null, cropY2: null };
    expect(describeCrop(none)).toBe(describeCrop({}));
  });

  it('distinguishes each edge', () => {
    const crop = { cropX1: 0, cropY1: 1, cropX2: 20, cropY2: 30 };
    const others = [{ cropX1: 5 }, { cropY1: 5 }, { cropX2: 5 }, { cropY2: 5 }].map((edge) =>
      describeCrop({ ...crop, ...edge }),
    );
    expect(new Set([describeCrop(crop), ...others]).size).toBe(5);
  });
});
