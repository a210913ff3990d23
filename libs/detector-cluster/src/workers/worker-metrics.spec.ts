import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import { describe, expect, it } from 'vitest';
import { WorkerMetrics } from './worker-metrics.js';
import { MetricAverage } from './metric-average.js';

function averageOf(...reports: [value: number | null | undefined, at: number][]): MetricAverage {
  const average = new MetricAverage();
  for (const [value, at] of reports) average.add(value, at);
  return average;
}

describe('metric average', () => {
  it('follows a step with a time constant of 30 s', () => {
    const average = averageOf([0, 0]);
    for (let at = 2_000; at <= 30_000; at += 2_000) average.add(100, at);
    expect(average.valueAt(30_000)).toBeCloseTo(100 * (1 - Math.exp(-1)), 5);
  });

  it.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('ends with %s', (value) => {
    const average = averageOf([50, 0], [value, 2_000]);
    expect(average.valueAt(2_000)).toBeNull();
    average.add(80, 4_000);
    expect(average.valueAt(4_000)).toBe(80);
  });

  it('restarts after 6 s of silence, and is stale then', () => {
    expect(averageOf([0, 0], [80, 6_000]).valueAt(6_000)).toBeLessThan(20);
    const average = averageOf([0, 0], [80, 6_001]);
    expect(average.valueAt(12_001)).toBe(80);
    expect(average.valueAt(12_002)).toBeNull();
    expect(new MetricAverage().valueAt(0)).toBeNull();
  });
});

const report = (cpuUsage: number): StateReportMessage => ({
  type: 'stateReport',
  cpuUsage,
  memoryUsage: 20,
  cameraConnections: [],
});

describe('metrics of a worker', () => {
  it('are the same object until a report comes, and gone 6 s after the last one', () => {
    const metrics = new WorkerMetrics();
    expect(metrics.at(0)).toEqual({ cpu: null, memory: null, gpu: null, gpuMemory: null });
    metrics.add(report(50), 0);
    const first = metrics.at(0);
    expect(first).toEqual({ cpu: 50, memory: 20, gpu: null, gpuMemory: null });
    expect(metrics.at(6_000)).toBe(first);
    const gone = metrics.at(6_001);
    expect(gone.cpu).toBeNull();
    expect(metrics.at(60_000)).toBe(gone);
    metrics.add(report(50), 60_000);
    expect(metrics.at(60_000)).toEqual(first);
    metrics.add(report(80), 62_000);
    expect(metrics.at(62_000).cpu).toBeGreaterThan(50);
  });
});
