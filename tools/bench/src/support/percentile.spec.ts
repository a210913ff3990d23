import { expect, it } from 'vitest';
import { percentile, slowEnd } from './percentile.js';

it('names the slow end of samples as P99 or maximum', () => {
  const samples = Array.from({ length: 100 }, (_, i) => i + 1);
  expect(slowEnd('sigkill', samples)).toEqual({ sigkillP99Ms: 99 });
  expect(slowEnd('sigkill', samples.slice(1))).toEqual({ sigkillMaxMs: 100 });
  expect(percentile(samples, 0.5)).toBe(50);
});
