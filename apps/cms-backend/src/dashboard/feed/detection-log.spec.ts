import { describe, expect, it } from 'vitest';
import { detectionAt, pulseOf } from '../pulse/pulse.fixture.js';
import { DetectionLog, MAX_DETECTIONS } from './detection-log.js';

const at = (second: number) => new Date(second * 1_000).toISOString();

const ids = (items: readonly { detectionId: string }[]) => items.map(({ detectionId }) => detectionId);
const from = (seconds: number[], skippedDetections = 0) =>
  pulseOf('a', {}, { detections: seconds.map((second) => detectionAt(at(second))), skippedDetections });

describe('DetectionLog', () => {
  it('brings those of all processes into one order, each once', () => {
    const detections = new DetectionLog();
    detections.add(from([1, 4], 2));
    detections.add(from([2, 3], 5));
    expect(detections.past).toEqual([]);
    const { items, skipped } = detections.next();
    expect(ids(items)).toEqual([1, 2, 3, 4].map(at));
    expect(skipped).toBe(7);
    expect(detections.next()).toEqual({ items: [], skipped: 0 });
    expect(ids(detections.past)).toEqual([1, 2, 3, 4].map(at));
  });

  it('shows the newest and counts the others', () => {
    const detections = new DetectionLog();
    const many = Array.from({ length: MAX_DETECTIONS + 5 }, (_, i) => i);
    detections.add(from(many, 1));
    const { items, skipped } = detections.next();
    expect(ids(items)).toEqual(many.slice(5).map(at));
    expect(skipped).toBe(6);
    detections.add(from([99]));
    detections.next();
    expect(ids(detections.past)).toEqual([...many.slice(6), 99].map(at));
  });
});
