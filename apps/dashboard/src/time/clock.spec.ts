import { describe, expect, it } from 'vitest';
import { skewOf } from './clock.js';

describe('skewOf', () => {
  it.each([
    [100_000, 99_000, 0],
    [100_000, 101_500, 0],
    [100_000, 40_000, 60_000],
    [100_000, 160_000, -60_000],
    [100_000, Number.NaN, 0],
  ])('here %d, there %d: %d', (here, there, skew) => {
    expect(skewOf(here, there)).toBe(skew);
  });
});
