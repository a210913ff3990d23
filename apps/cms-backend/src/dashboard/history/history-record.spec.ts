import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord, MAX_RECORD, merged, type HistoryRecord } from './history-record.js';
import { fullestRecord } from './history.fixture.js';
import { MAX_LINES } from './worker-lines.js';

const record = (more: Partial<HistoryRecord> = {}): HistoryRecord => ({
  at: 1_000,
  samples: 1,
  rate: 4,
  lag: 10,
  meanLoad: 20,
  highestLoad: 30,
  active: 6,
  pending: 1,
  recovering: 0,
  failed: 0,
  failovers: 0,
  loads: [10, 30],
  ...more,
});

describe('a record of the history', () => {
  it('sums up two parts by their samples', () => {
    const one = record({ samples: 3, failovers: 1 });
    const other = record({
      at: 2_000,
      rate: 8,
      lag: 5,
      meanLoad: 60,
      highestLoad: 90,
      active: 2,
      pending: 5,
      failovers: 1,
      loads: [50, 30, 70],
    });
    expect(merged(one, other)).toEqual({
      at: 1_000,
      samples: 4,
      rate: 5,
      lag: 10,
      meanLoad: 30,
      highestLoad: 90,
      active: 5,
      pending: 2,
      recovering: 0,
      failed: 0,
      failovers: 2,
      loads: [20, 30, 70],
    });
  });

  it('takes the known value where the other part has none', () => {
    const unknown = record({ rate: null, lag: null, meanLoad: null, highestLoad: null, loads: [null] });
    expect(merged(unknown, record())).toMatchObject({ rate: 4, lag: 10, meanLoad: 20, loads: [10, 30] });
    expect(merged(record(), unknown)).toMatchObject({ rate: 4, lag: 10, highestLoad: 30, loads: [10, 30] });
    expect(merged(unknown, unknown)).toMatchObject({ rate: null, lag: null, loads: [null] });
  });

  it('is the same after it was written and read', () => {
    const all = record({ rate: 12.3, lag: null, pending: 0.5, loads: [null, 0, 100] });
    expect(decodeRecord(encodeRecord(all))).toEqual(all);
  });

  it('has a length limit, whatever the figures are', () => {
    const text = encodeRecord(fullestRecord(1_764_000_000_000));
    expect(text.length).toBeGreaterThan(4 * MAX_LINES);
    expect(text.length).toBeLessThanOrEqual(MAX_RECORD);
    expect(decodeRecord(text)?.loads).toHaveLength(MAX_LINES);
  });

  it.each(['', '{', 'null', '[]', '[1,1,1,1,1,1,[1,1,1],0,[]]', '[1,1,"1",1,1,1,[1,1,1,1],0,[]]'])(
    'is nothing when its text is %j',
    (text) => expect(decodeRecord(text)).toBeNull(),
  );
});
