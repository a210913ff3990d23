import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from '@jest/globals';
import { RateHistory } from './rate-history.js';

const at = (rates: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(rates).map(([nodeId, detectionsPerSecond]) => [
      nodeId,
      { nodeId, detectionsPerSecond } as ProcessRow,
    ]),
  );

describe('RateHistory', () => {
  it('keeps series of the same length for processes that come and go', () => {
    const history = new RateHistory(3, 4_000);
    history.record(1_000, at({ a: 1 }));
    history.record(2_000, at({ a: 2, b: 20 }));
    history.record(3_000, at({ b: 30 }));
    expect(history.series().times).toEqual([1, 2, 3]);
    expect(Object.fromEntries(history.series().rates)).toEqual({ a: [1, 2, null], b: [null, 20, 30] });
    history.record(4_000, at({ b: 40 }));
    history.record(5_000, at({ b: 50 }));
    expect(Object.fromEntries(history.series().rates)).toEqual({ b: [30, 40, 50] });
  });

  it('has no values for a time without samples', () => {
    const history = new RateHistory(5, 4_000);
    history.record(1_000, at({ a: 1 }));
    history.record(60_000, at({ a: 2 }));
    expect(history.series().times).toEqual([1, 1.001, 60]);
    expect(history.series().rates.get('a')).toEqual([1, null, 2]);
  });

  it('ignores a sample that is not later than the last one', () => {
    const history = new RateHistory(5, 4_000);
    history.record(2_000, at({ a: 1 }));
    history.record(2_000, at({ a: 2 }));
    history.record(1_000, at({ a: 3 }));
    history.record(Number.NaN, at({ a: 3 }));
    expect(history.series().rates.get('a')).toEqual([1]);
  });
});
