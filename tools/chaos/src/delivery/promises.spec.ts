import { describe, expect, it } from '@jest/globals';
import { brokenPromises, type Measured } from './promises.js';

const good: Measured = {
  lost: 0,
  dropped: 0,
  lateStarts: 0,
  lateAcceptances: 0,
  unaccounted: 0,
  unfinished: 0,
  duplicates: 640,
  faults: 10,
  maxRefusedMs: 3_000,
};

describe('brokenPromises', () => {
  it('finds none at the limits', () => {
    expect(brokenPromises(good)).toEqual([]);
  });

  it.each<Partial<Measured>>([
    { lost: 1 },
    { dropped: 1 },
    { lateStarts: 1 },
    { lateAcceptances: 1 },
    { unaccounted: 1 },
    { unfinished: 1 },
    { duplicates: 641 },
    { maxRefusedMs: 3_001 },
  ])('names what is broken by %j', (worse) => {
    expect(brokenPromises({ ...good, ...worse })).toEqual(Object.keys(worse));
  });

  it('allows no duplicate without a fault', () => {
    expect(brokenPromises({ ...good, duplicates: 1, faults: 0 })).toEqual(['duplicates']);
  });
});
