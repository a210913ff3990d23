import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory, type Grant } from './check-history.js';

const grant = (owner: string, term: number, sentAt: number, validUntil: number): Grant => ({
  owner,
  term,
  sentAt,
  validUntil,
});

const write = (owner: string, term: number, accepted = true) => ({ owner, term, accepted });

describe('checkHistory', () => {
  it('accepts terms that follow each other, in any order of logging', () => {
    const grants = [grant('b', 2, 20, 30), grant('a', 1, 0, 10), grant('a', 1, 5, 15), grant('b', 2, 15, 25)];
    expect(checkHistory(grants)).toEqual([]);
  });

  it('finds an overlap of two owners', () => {
    expect(checkHistory([grant('a', 1, 0, 10), grant('b', 2, 9, 20)])).toEqual([
      'b (term 2) from 9 overlaps with a (term 1) until 10',
    ]);
  });

  it('finds an overlap with a grant that is not the previous one', () => {
    const grants = [grant('a', 1, 0, 100), grant('a', 1, 10, 20), grant('b', 2, 50, 60)];
    expect(checkHistory(grants)).toHaveLength(1);
  });

  it('finds an overlap of equal starts', () => {
    expect(checkHistory([grant('a', 1, 0, 10), grant('b', 2, 0, 10)])).not.toEqual([]);
  });

  it('finds a term that falls', () => {
    expect(checkHistory([grant('a', 2, 0, 10), grant('b', 1, 10, 20)])).toEqual([
      'term 1 of b began after term 2',
    ]);
  });

  it('finds a term of two owners', () => {
    expect(checkHistory([grant('a', 1, 0, 10), grant('b', 1, 10, 20)])).toEqual([
      'term 1 belongs to a and to b',
    ]);
  });

  it('agrees with a comparison of every pair', () => {
    const grants = fc.array(
      fc
        .tuple(
          fc.constantFrom('a', 'b', 'c'),
          fc.integer({ min: 0, max: 20 }),
          fc.integer({ min: 1, max: 8 }),
        )
        .map(([owner, sentAt, length]) => grant(owner, sentAt, sentAt, sentAt + length)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(grants, (history) => {
        const overlap = history.some((a) =>
          history.some((b) => a.owner !== b.owner && a.sentAt <= b.sentAt && b.sentAt < a.validUntil),
        );
        const found = checkHistory(history).some((problem) => problem.includes('overlaps'));
        expect(found).toBe(overlap);
      }),
    );
  });

  const history = [grant('a', 1, 0, 10), grant('b', 2, 10, 20), grant('a', 3, 30, 40)];

  it('accepts writes as terms rise, and refusals of earlier terms', () => {
    expect(
      checkHistory(history, [write('a', 1), write('b', 2), write('a', 1, false), write('b', 2)]),
    ).toEqual([]);
  });

  it('finds a write of an earlier term that was accepted after one of a later term', () => {
    expect(checkHistory(history, [write('a', 1), write('b', 2), write('a', 1)])).toEqual([
      'a write of a under term 1 was accepted after one under term 2',
    ]);
  });

  it('does not let a refused write count as written', () => {
    expect(checkHistory(history, [write('b', 2, false), write('a', 1)])).toEqual([]);
  });

  it('finds a write under the term of another candidate', () => {
    expect(checkHistory(history, [write('b', 1)])).toEqual([
      'b wrote under term 1, which it was not granted',
    ]);
  });

  it('finds a refusal of the latest term', () => {
    expect(checkHistory(history, [write('a', 3), write('a', 3, false)])).toEqual([
      'a write of a was refused under term 3, the latest',
    ]);
  });
});
