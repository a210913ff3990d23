import { describe, expect, it } from '@jest/globals';
import { averageWith, currentMetric, type MetricAverage } from './worker-metrics.js';

describe('metric average', () => {
  it('follows a step with a time constant of 30 s', () => {
    let average: MetricAverage | null = { value: 0, at: 0 };
    for (let at = 2_000; at <= 30_000; at += 2_000) average = averageWith(average, 100, at);
    expect(average!.value).toBeCloseTo(100 * (1 - Math.exp(-1)), 5);
  });

  it.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('ends with %s', (value) => {
    expect(averageWith({ value: 50, at: 0 }, value, 2_000)).toBeNull();
  });

  it('restarts after 6 s of silence, and is stale then', () => {
    const average = averageWith({ value: 0, at: 0 }, 80, 6_001);
    expect(average).toEqual({ value: 80, at: 6_001 });
    expect(currentMetric(average, 12_001)).toBe(80);
    expect(currentMetric(average, 12_002)).toBeNull();
    expect(currentMetric(null, 0)).toBeNull();
  });
});
