import { expect, it } from 'vitest';
import { spread } from './percentile.js';

it('names the slow end of samples as P99 or maximum', () => {
  const samples = Array.from({ length: 100 }, (_, i) => i + 1);
  expect(spread('sigkill', samples)).toEqual({ sigkillP50Ms: 50, sigkillP99Ms: 99 });
  expect(spread('sigkill', samples.slice(1))).toEqual({ sigkillP50Ms: 51, sigkillMaxMs: 100 });
});
