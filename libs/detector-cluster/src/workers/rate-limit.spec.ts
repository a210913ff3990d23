import { describe, expect, it } from 'vitest';
import { RateLimit } from './rate-limit.js';

const taken = (limit: RateLimit, from: number, to: number, step: number) => {
  let count = 0;
  for (let now = from; now < to; now += step) if (limit.take(now)) count++;
  return count;
};

describe('RateLimit', () => {
  it('takes a burst of one second, and then as many as the rate', () => {
    const limit = new RateLimit(100);
    expect(taken(limit, 0, 1_000, 1)).toBe(199);
    expect(taken(limit, 1_000, 11_000, 1)).toBe(1_000);
  });

  it('takes all that come at the rate, also at one in several seconds', () => {
    expect(taken(new RateLimit(100), 0, 60_000, 10)).toBe(6_000);
    expect(taken(new RateLimit(1), 0, 60_000, 1_000)).toBe(60);
  });
});
