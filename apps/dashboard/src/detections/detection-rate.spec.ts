import { describe, expect, it } from '@jest/globals';
import { detectionRate } from './detection-rate.js';
import { detection } from './detection.fixture.js';

const NOW = Date.UTC(2026, 0, 1);
const before = (ms: number) => detection(`${ms}`, { receivedAt: new Date(NOW - ms).toISOString() });

describe('detectionRate', () => {
  it('counts the last ten seconds', () => {
    const kept = [60_000, 30_000, 9_000, 5_000, 4_000, 1_000, 0].map(before);
    expect(detectionRate(kept, kept, NOW)).toBeCloseTo(0.5);
    expect(detectionRate([kept[6]!], kept, NOW)).toBeCloseTo(0.1);
  });

  it('counts over a shorter time if the kept detections do not reach back ten seconds', () => {
    const kept = [2_000, 1_500, 1_000, 500].map(before);
    expect(detectionRate(kept, kept, NOW)).toBeCloseTo(2);
  });

  it('is 0 without detections', () => {
    expect(detectionRate([], [], NOW)).toBe(0);
    expect(detectionRate([before(-5_000)], [before(-5_000)], NOW)).toBe(0);
  });
});
