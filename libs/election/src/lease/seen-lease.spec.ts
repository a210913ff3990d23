import { describe, expect, it } from 'vitest';
import { SeenLease, seenLeaseOf } from './seen-lease.js';

const after = (...saw: readonly (readonly [term: number, validity?: number])[]) => {
  const seen = new SeenLease();
  for (const each of saw) seen.saw(...each);
  return [seen.floor, seen.validity];
};

describe('SeenLease', () => {
  it('is the lease of the highest term', () => {
    expect(after()).toEqual([0, 0]);
    expect(after([5, 900], [6, 400])).toEqual([6, 400]);
    expect(after([6, 400], [5, 900])).toEqual([6, 400]);
    expect(after([5, 900], [6])).toEqual([6, 0]);
  });

  it('is the longest that was seen in that term', () => {
    expect(after([5, 400], [5, 900], [5, 400], [5])).toEqual([5, 900]);
  });

  it('is one for all backends of an election in this process', () => {
    seenLeaseOf('one').saw(5, 900);
    expect(seenLeaseOf('one').validity).toBe(900);
    expect(seenLeaseOf('another').validity).toBe(0);
  });
});
