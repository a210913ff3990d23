import { describe, expect, it } from '@jest/globals';
import { formatAge } from './age.js';

describe('formatAge', () => {
  it.each([
    [-5_000, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [86_399_999, '23 h 59 min'],
    [86_400_000, '1 d'],
    [100_000_000, '1 d 3 h'],
    [864_000_000, '10 d'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });
});
