import { describe, expect, it } from 'vitest';
import { type CandidateEvent, grantsOfLog } from './check-candidate-log.js';

const granted = (at: number, term: number, validUntil: number): CandidateEvent => ({
  owner: 'a',
  kind: 'granted',
  at,
  term,
  validUntil,
});
const event = (kind: 'acquired' | 'suspended' | 'lost', at: number, term: number): CandidateEvent => ({
  owner: 'a',
  kind,
  at,
  term,
});
const grant = (term: number, sentAt: number, validUntil: number) => ({
  owner: 'a',
  term,
  sentAt,
  validUntil,
});

describe('grantsOfLog', () => {
  it('counts the last grant of a killed candidate to its end', () => {
    const log = [granted(0, 1, 10), event('acquired', 0, 1), granted(5, 1, 15)];
    expect(grantsOfLog(log)).toEqual([grant(1, 0, 10), grant(1, 5, 15)]);
  });

  it('ends grants when their lease is lost, and ignores what comes for it later', () => {
    const log = [granted(0, 1, 10), granted(5, 1, 15), event('lost', 6, 1), granted(7, 1, 17)];
    expect(grantsOfLog(log)).toEqual([grant(1, 0, 6), grant(1, 5, 6)]);
  });

  it('ends grants when their candidate is suspended, until the next', () => {
    const log = [granted(0, 1, 10), event('suspended', 4, 1), granted(8, 1, 18)];
    expect(grantsOfLog(log)).toEqual([grant(1, 0, 4), grant(1, 8, 18)]);
  });

  it('counts a grant in full that ends a suspension which was noticed only then', () => {
    const log = [granted(0, 1, 10), event('suspended', 20.1, 1), granted(20, 1, 30)];
    expect(grantsOfLog(log)).toEqual([grant(1, 0, 10), grant(1, 20, 30)]);
  });

  it('does not end grants of another term', () => {
    const log = [granted(0, 1, 10), event('lost', 2, 1), granted(20, 2, 30), event('suspended', 21, 1)];
    expect(grantsOfLog(log)).toEqual([grant(1, 0, 2), grant(2, 20, 30)]);
  });

  it('leaves out grants that had ended before the answer was read', () => {
    expect(grantsOfLog([granted(10, 1, 10), granted(12, 1, 11)])).toEqual([]);
  });
});
