import { describe, expect, it } from '@jest/globals';
import { compareEntryIds } from './compare-entry-ids.js';

describe('compareEntryIds', () => {
  it('compares numbers, not text', () => {
    const ids = ['2-10', '10-1', '2-9', '1700000000000-3', '2-10'];
    expect(ids.sort(compareEntryIds)).toEqual(['2-9', '2-10', '2-10', '10-1', '1700000000000-3']);
    expect(compareEntryIds('2-10', '2-10')).toBe(0);
  });
});
