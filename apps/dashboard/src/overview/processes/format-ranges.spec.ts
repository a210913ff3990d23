import { describe, expect, it } from '@jest/globals';
import { formatRanges } from './format-ranges.js';

describe('formatRanges', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0–1'],
    [[0, 1, 2, 3, 4, 7, 9, 10], '0–4, 7, 9–10'],
  ])('writes %j as %j', (numbers, text) => {
    expect(formatRanges(numbers)).toBe(text);
  });
});
