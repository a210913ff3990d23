import { SeededRandom } from '@detector-cluster/local-cluster';
import { describe, expect, it } from 'vitest';
import { type Sample, type Trend, trendOf } from './trend.js';

const MINUTE = 60_000;

/** Samples of two hours, every 15 s, that grow by this much in an hour. */
function samples(perHour: number, noise: (n: number) => number, count = 480): Sample[] {
  return Array.from({ length: count }, (_, n) => ({
    at: n * 15_000,
    value: 50 + (perHour * n) / 240 + noise(n),
    group: 'all',
  }));
}

/** Roughly normal, with a standard deviation of 1. */
function noiseOf(seed: number): () => number {
  const random = new SeededRandom(seed);
  return () => Array.from({ length: 12 }, () => random.next()).reduce((sum, each) => sum + each, -6);
}

/** Each value depends on the one before it. */
function driftOf(seed: number): () => number {
  const noise = noiseOf(seed);
  let last = 0;
  return () => (last = 0.8 * last + 0.6 * noise());
}

const width = ({ least, most }: Trend): number => most - least;

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed + 1);

describe('trendOf', () => {
  it('finds a slope without noise', () => {
    const { perHour, least, most } = trendOf(samples(1.5, () => 0));
    for (const value of [perHour, least, most]) expect(value).toBeCloseTo(1.5);
  });

  it('is not misled by single values that are far off', () => {
    expect(trendOf(samples(1, (n) => (n % 20 === 0 ? 400 : 0))).perHour).toBeCloseTo(1);
  });

  it('compares only samples of one group', () => {
    // A master holds 20 more, and the process is master for most of the second hour.
    const roles = samples(1, () => 0).map((sample, n) => {
      const isMaster = n > 240 ? n % 10 !== 0 : n % 10 === 0;
      return {
        ...sample,
        value: sample.value + (isMaster ? 20 : 0),
        group: isMaster ? 'master' : 'follower',
      };
    });
    const { perHour, least, most } = trendOf(roles);
    for (const value of [perHour, least, most]) expect(value).toBeCloseTo(1);
  });

  it.each([
    ['independent noise', noiseOf],
    ['noise that depends on what was before', driftOf],
  ])('has the true slope in its interval, with %s', (_name, noise) => {
    const missed = SEEDS.filter((seed) => {
      const { least, most } = trendOf(samples(1, noise(seed)));
      return least > 1 || most < 1;
    });
    expect(missed.length).toBeLessThanOrEqual(1);
  });

  it('has a narrow interval in two hours, and a wide one in three minutes', () => {
    const long = width(trendOf(samples(0, noiseOf(1))));
    const short = width(trendOf(samples(0, noiseOf(1), 12)));
    expect(long).toBeLessThan(1);
    expect(short).toBeGreaterThan(20);
  });

  it('does not take the end of a warm-up for a growth that lasts', () => {
    const { least } = trendOf(samples(0, (n) => (n < 20 ? n / 20 - 1 : 0) + (n % 2) / 100));
    expect(least).toBeLessThanOrEqual(0.01);
  });

  it('measures time in hours', () => {
    const two = [0, 30].map((minutes) => ({ at: minutes * MINUTE, value: minutes, group: 'all' }));
    expect(trendOf(two).perHour).toBe(60);
  });
});
