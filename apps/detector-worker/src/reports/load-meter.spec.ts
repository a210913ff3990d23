import { describe, expect, it } from 'vitest';
import { ManualClock } from '../fixtures/manual-clock.fixture.js';
import { LoadMeter } from './load-meter.js';

describe('LoadMeter', () => {
  it('stays within percent and lets the GPU follow the streams up to the capacity', () => {
    const clock = new ManualClock();
    const meter = new LoadMeter(clock, { capacity: 4 });
    const gpu: number[] = [];
    for (const streams of [0, 1, 2, 4, 40]) {
      clock.time += 1000;
      const load = meter.measure(streams);
      for (const value of Object.values(load)) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(100);
      }
      gpu.push(load.gpuUsage);
    }
    expect(gpu).toEqual([3, 22.3, 41.5, 80, 80]);
  });

  it('keeps the last CPU figure between measurements that are too close', () => {
    const clock = new ManualClock();
    const meter = new LoadMeter(clock, { capacity: 4 });
    const before = process.cpuUsage();
    let spent = 0;
    // Burn measurable CPU time, whatever the machine.
    while (spent < 20_000) spent = process.cpuUsage(before).user + process.cpuUsage(before).system;
    clock.time = 500;
    const { cpuUsage } = meter.measure(0);
    expect(cpuUsage).toBeGreaterThan(1);
    clock.time = 510;
    expect(meter.measure(0).cpuUsage).toBe(cpuUsage);
  });
});
