import { describe, expect, it } from 'vitest';
import { detection } from './detection.fixture.js';
import { findDetections, detectionRate } from './live-detections.js';

const items = [
  detection('1', { subscriptionIdentifier: 'gate;c1', summary: '{"plate":"AB 12"}' }),
  detection('2', { subscriptionIdentifier: 'gate;c2', workerUrl: 'ws://w2' }),
  detection('3', { subscriptionIdentifier: 'hall;c1', processId: 'process-7' }),
];
const found = (filter: { text?: string; subscription?: string }) =>
  findDetections(items, { text: '', subscription: '', ...filter }).map(({ detectionId }) => detectionId);

describe('findDetections', () => {
  it('finds words in subscription, worker, process and report', () => {
    expect(found({})).toEqual(['1', '2', '3']);
    expect(found({ text: 'GATE' })).toEqual(['1', '2']);
    expect(found({ text: 'gate w2' })).toEqual(['2']);
    expect(found({ text: 'ab 12' })).toEqual(['1']);
    expect(found({ text: 'process-7' })).toEqual(['3']);
  });

  it('filters by one subscription', () => {
    expect(found({ subscription: 'gate;c1' })).toEqual(['1']);
    expect(found({ subscription: 'gate' })).toEqual([]);
  });
});

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
