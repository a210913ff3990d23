import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedList } from './sorted-list.js';

const ascending = (a: number, b: number) => a - b;

describe('SortedList', () => {
  it('stays in order after any insertions and removals', () => {
    const change = fc.record({ gone: fc.array(fc.nat(20)), added: fc.array(fc.nat(20)) });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(20)), fc.array(change), (first, changes) => {
        const list = new SortedList(ascending);
        const expected = new Set(first);
        list.fill(first);
        for (const { gone, added } of changes) {
          for (const item of gone) expected.delete(item);
          const fresh = Array.from(new Set(added)).filter((item) => !expected.has(item));
          for (const item of fresh) expected.add(item);
          list.change(new Set(gone), fresh);
        }
        expect(list.items).toEqual(Array.from(expected).sort(ascending));
      }),
    );
  });

  it('inserts a few items into many with few comparisons', () => {
    let comparisons = 0;
    const list = new SortedList<number>((a, b) => {
      comparisons += 1;
      return a - b;
    });
    list.fill(Array.from({ length: 10_000 }, (_, index) => index * 2));
    comparisons = 0;
    const some = Array.from({ length: 100 }, (_, index) => (index * 7_919) % 10_000);
    list.change(
      new Set(some.map((item) => item * 2)),
      some.map((item) => item * 2 + 1),
    );
    expect(list.items).toHaveLength(10_000);
    expect(comparisons).toBeLessThan(11_000);
  });
});
