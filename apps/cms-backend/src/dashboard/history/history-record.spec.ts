import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord, MAX_RECORD, merged, type HistoryRecord } from './history-record.js';
import { fullestRecord } from './history.fixture.js';
import { MAX_LINES } from './worker-lines.js';

const record = (more: Partial<HistoryRecord> = {}): HistoryRecord => ({
  at: 1_000,
  samples: 1,
  detectionsPerSecond: 4,
  lagMs: 10,
  meanLoad: 20,
  highestLoad: 30,
  subscriptions: { active: 6, pending: 1, recovering: 0, failed: 0 },
  failovers: 0,
  loads: [10, 30],
  ...more,
});

describe('a record of the history', () => {
  it('sums up two parts by their samples', () => {
    const one = record({ samples: 3, failovers: 1 });
    const other = record({
      at: 2_000,
      detectionsPerSecond: 8,
      lagMs: 5,
      meanLoad: 60,
      highestLoad: 90,
      subscriptions: { active: 2, pending: 5, recovering: 0, failed: 0 },
      failovers: 1,
      loads: [50, 30, 70],
    });
    expect(merged(one, other)).toEqual({
      at: 1_000,
      samples: 4,
      detectionsPerSecond: 5,
      lagMs: 10,
      meanLoad: 30,
      highestLoad: 90,
      subscriptions: { active: 5, pending: 2, recovering: 0, failed: 0 },
      failovers: 2,
      loads: [20, 30, 70],
    });
  });

  it('takes the known value where the other part has none', () => {
    const unknown = record({
      detectionsPerSecond: null,
      lagMs: null,
      meanLoad: null,
      highestLoad: null,
      loads: [null],
    });
    expect(merged(unknown, record())).toMatchObject({
      detectionsPerSecond: 4,
      lagMs: 10,
      meanLoad: 20,
      loads: [10, 30],
    });
    expect(merged(record(), unknown)).toMatchObject({
      detectionsPerSecond: 4,
      lagMs: 10,
      highestLoad: 30,
      loads: [10, 30],
    });
    expect(merged(unknown, unknown)).toMatchObject({ detectionsPerSecond: null, lagMs: null, loads: [null] });
  });

  const all = record({
    detectionsPerSecond: 12.3,
    lagMs: null,
    subscriptions: { active: 6, pending: 0.5, recovering: 0, failed: 0 },
    loads: [null, 0, 100],
  });

  it('is the same after it was written and read', () => {
    expect(decodeRecord(encodeRecord(all))).toEqual(all);
  });

  it('has the form in Redis that other versions read', () => {
    expect(encodeRecord(all)).toBe('[1000,1,12.3,null,20,30,[6,0.5,0,0],0,[-1,0,100]]');
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
