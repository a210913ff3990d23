import { describe, expect, it } from 'vitest';
import { partitionOf } from './log-address.js';
import * as fc from 'fast-check';

describe('partitionOf', () => {
  it('gives the same partition in every version: replicas of two versions share the partitions', () => {
    expect(['', 'd;c', 'detector-1;camera-1', 'ä;€;😀'].map((each) => partitionOf(each, 1_024))).toEqual([
      11, 888, 206, 209,
    ]);
  });

  it('is a whole number below the number of partitions', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1_024 }), (subscription, partitions) => {
        const partition = partitionOf(subscription, partitions);
        expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
      }),
    );
  });

  it.each([
    ['numbered cameras', (i: number) => `detector;camera-${i}`],
    ['numbered detectors', (i: number) => `detector-${i};camera`],
    [
      'UUIDs that differ in one place',
      (i: number) => `0b0a1c9e-0000-4000-8000-${String(i).padStart(12, '0')};x`,
    ],
  ])('spreads %s evenly', (_, name) => {
    const counts = Array.from({ length: 32 }, () => 0);
    for (let i = 0; i < 32_000; i++) counts[partitionOf(name(i), 32)]!++;
    // Five standard deviations of a binomial distribution with a mean of 1,000.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(5 * Math.sqrt(1_000));
  });
});
