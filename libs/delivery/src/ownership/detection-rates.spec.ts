import { describe, expect, it } from 'vitest';
import { DetectionRates } from './detection-rates.js';

describe('DetectionRates', () => {
  it('approaches a steady rate, and fades when the detections end', () => {
    let now = 0;
    const rates = new DetectionRates(() => now, 10_000);
    for (; now < 60_000; now += 50) rates.observe(3);
    expect(rates.ofAll(4).get(3)).toBeGreaterThan(19);
    expect(rates.ofAll(4).get(3)).toBeLessThan(21);
    now += 10_000;
    expect(rates.ofAll(4).get(3)).toBeCloseTo(20 / Math.E, 0);
    now += 100_000;
    expect(rates.ofAll(4).get(3)).toBeLessThan(0.01);
  });

  it('has a figure only for partitions that had a detection, and counts them apart', () => {
    const rates = new DetectionRates(() => 0, 1_000);
    rates.observe(0);
    rates.observe(7);
    rates.observe(7);
    expect([...rates.ofAll(8)]).toEqual([
      [0, 1],
      [7, 2],
    ]);
  });

  it('distinguishes a partition without detections from one that it has not observed for long enough', () => {
    let now = 5_000;
    const rates = new DetectionRates(() => now, 1_000);
    now += 999;
    rates.observe(1);
    expect([...rates.ofAll(3)]).toEqual([[1, 1]]);
    now += 1;
    expect([...rates.ofAll(3).keys()].sort()).toEqual([0, 1, 2]);
    expect(rates.ofAll(3).get(2)).toBe(0);
  });
});
