import { describe, expect, it } from 'vitest';
import { type CandidateEvent, checkCandidateLog } from './check-candidate-log.js';

type Entry = [at: number, kind: CandidateEvent['kind'], term: number, validUntil?: number];

const check = (...log: Entry[]) =>
  checkCandidateLog(
    log.map(([at, kind, term, validUntil]) => ({ owner: 'a', at, kind, term, validUntil }) as CandidateEvent),
  );

describe('checkCandidateLog', () => {
  it('accepts terms with suspensions', () => {
    const problems = check(
      [0, 'granted', 1, 10],
      [0, 'acquired', 1],
      [5, 'acted', 1],
      [10, 'suspended', 1],
      [12, 'granted', 1, 22],
      [12, 'resumed', 1],
      [21, 'acted', 1],
      [22, 'suspended', 1],
      [30, 'lost', 1],
      [40, 'granted', 2, 50],
      [40, 'acquired', 2],
      [41, 'acted', 2],
    );
    expect(problems).toEqual([]);
  });

  it('finds an act after the grant had ended', () => {
    expect(check([0, 'granted', 1, 10], [0, 'acquired', 1], [10, 'acted', 1])).toEqual([
      'a acted though valid until 10 at 10, term 1',
    ]);
  });

  it('finds an act while suspended', () => {
    expect(
      check([0, 'granted', 1, 10], [0, 'acquired', 1], [5, 'suspended', 1], [6, 'acted', 1]),
    ).toHaveLength(1);
  });

  it('finds an act after the loss', () => {
    const problems = check([0, 'granted', 1, 10], [0, 'acquired', 1], [5, 'lost', 1], [6, 'acted', 1]);
    expect(problems).toEqual(['a acted without leading at 6, term 1']);
  });

  it('finds an act under the term before', () => {
    const problems = check(
      [0, 'granted', 1, 10],
      [0, 'acquired', 1],
      [1, 'lost', 1],
      [2, 'granted', 2, 12],
      [2, 'acquired', 2],
      [3, 'acted', 1],
    );
    expect(problems).toEqual(['a acted without leading at 3, term 1']);
  });

  it('finds terms that do not alternate with losses', () => {
    expect(check([0, 'acquired', 1], [1, 'acquired', 2])).toHaveLength(1);
    expect(check([0, 'acquired', 1], [1, 'lost', 1], [2, 'lost', 1])).toHaveLength(1);
    expect(check([0, 'acquired', 1], [1, 'lost', 2])).toHaveLength(1);
  });

  it('finds a term that does not rise', () => {
    expect(check([0, 'acquired', 2], [1, 'lost', 2], [2, 'acquired', 2])).toEqual([
      'a acquired after term 2 at 2, term 2',
    ]);
  });

  it('finds suspensions that do not alternate with resumptions', () => {
    expect(check([0, 'acquired', 1], [1, 'resumed', 1])).toHaveLength(1);
    expect(check([0, 'acquired', 1], [1, 'suspended', 1], [2, 'suspended', 1])).toHaveLength(1);
    expect(check([1, 'suspended', 1])).toEqual(['a suspended without leading at 1, term 1']);
  });
});
