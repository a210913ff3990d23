import { describe, expect, it } from 'vitest';
import { type Growth, grows, growthOf, isUnclear, noticedFrom } from './measures.js';
import { SoakRecords } from './soak-records.js';

const growth = (perHour: number, least: number, most: number, limit?: number): Growth => ({
  process: 'backend-1',
  measure: 'heap',
  perHour,
  least,
  most,
  limit,
});

describe('the growth of a measure', () => {
  it('counts only if the whole interval is above the limit', () => {
    expect(grows(growth(3, 2, 4, 1))).toBe(true);
    expect(grows(growth(3, 0.5, 6, 1))).toBe(false);
  });

  it('is unclear if the interval is not all on one side of the limit', () => {
    expect(isUnclear(growth(0, -2, 2, 1))).toBe(true);
    expect(isUnclear(growth(0.9, 0.8, 1.1, 1))).toBe(true);
    expect(isUnclear(growth(0, -0.2, 0.2, 1))).toBe(false);
    expect(isUnclear(growth(-1, -4, 0.7, 1))).toBe(false);
    expect(isUnclear(growth(3, 2, 4, 1))).toBe(false);
  });

  it('is unclear without two samples of one role', () => {
    const samples = ['master', 'follower'].map((group, at) => ({ at, value: 1, group }));
    const [found] = growthOf([{ process: 'backend-1', measure: 'heap', samples }], 0, { heap: 1 });
    expect([grows(found!), isUnclear(found!)]).toEqual([false, true]);
  });

  it('is only shown without a limit', () => {
    expect(grows(growth(3, 2, 4))).toBe(false);
    expect(isUnclear(growth(0, -2, 2))).toBe(false);
  });

  it('is noticed from the limit and half of the interval on', () => {
    expect(noticedFrom(growth(0.1, -0.4, 0.6, 1))).toBeCloseTo(1.5);
  });

  it('is that of the samples after the warm-up, in the unit of the measure', () => {
    const records = new SoakRecords();
    for (let minute = 0; minute < 60; minute++) {
      const megabytes = minute < 10 ? 30 + minute : 40 + (minute - 10) * 0.5;
      const process = { process: 'backend-1', at: minute * 60_000, heap: megabytes * 2 ** 20 };
      records.addGauge({ ...process, resident: 1e8, sockets: 20, timers: 30, listeners: 200 }, 'follower');
    }
    const all = growthOf(records.all, 10 * 60_000, { heap: 1 });
    const heap = all.find(({ measure }) => measure === 'heap')!;
    expect(heap.perHour).toBeCloseTo(30);
    expect(grows(heap)).toBe(true);
    expect(all.find(({ measure }) => measure === 'sockets')).toMatchObject({ perHour: 0, limit: undefined });
    expect(records.fewest(['backend-1'], 10 * 60_000)).toBe(50);
    expect(records.fewest(['backend-1', 'backend-2'], 0)).toBe(0);
  });
});
