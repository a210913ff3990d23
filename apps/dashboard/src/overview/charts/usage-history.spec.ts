import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from '@jest/globals';
import { UsageHistory } from './usage-history.js';

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
