import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { UsageHistory, sparkPath } from './usage-history.js';

const worker = (cpuUsage: number, gpuUsage: number | null = null) =>
  ({ cpuUsage, memoryUsage: 1, gpuUsage, gpuMemoryUsage: null }) as WorkerRow;

describe('UsageHistory', () => {
  it('keeps the last samples of present workers', () => {
    const history = new UsageHistory(3);
    history.record({ a: worker(1), b: worker(9) });
    history.record({ a: worker(2, 50) });
    history.record({ a: worker(3) });
    history.record({ a: worker(4) });
    expect(history.of('a', 'cpuUsage')).toEqual([2, 3, 4]);
    expect(history.of('a', 'gpuUsage')).toEqual([50, null, null]);
    expect(history.of('b', 'cpuUsage')).toEqual([]);
  });
});

describe('sparkPath', () => {
  it('ends at the right edge, and fills the width only when there are enough samples', () => {
    expect(sparkPath([0, 50, 100], 5)).toBe('M50 23L75 12L100 1');
    expect(sparkPath([0, 50, 100], 3)).toBe('M0 23L50 12L100 1');
  });

  it('leaves gaps, and shows a sample between gaps', () => {
    expect(sparkPath([0, null, 50, null, 100, 100], 6)).toBe('M0 23L0 23M40 12L40 12M80 1L100 1');
  });

  it('stays within its box, and draws the newest samples', () => {
    expect(sparkPath([7, 7, -20, 250], 2)).toBe('M0 23L100 1');
  });

  it('is empty without samples', () => {
    expect(sparkPath([], 5)).toBe('');
    expect(sparkPath([null, null], 5)).toBe('');
  });
});
