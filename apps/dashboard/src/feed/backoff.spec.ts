import { describe, expect, it } from '@jest/globals';
import { backoff } from './backoff.js';

describe('backoff', () => {
  it('waits longer with each failure, up to a bound, and never zero', () => {
    expect([1, 2, 3, 4, 5, 50].map((failures) => backoff(failures, 0.999))).toEqual([
      750, 1249, 2248, 4246, 5245, 5245,
    ]);
    expect(backoff(1, 0)).toBe(250);
  });

  it('spreads pages that failed at the same time', () => {
    expect(backoff(4, 0.1)).toBeLessThan(backoff(4, 0.9) - 2_000);
  });
});
