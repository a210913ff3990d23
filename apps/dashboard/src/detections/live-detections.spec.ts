import { describe, expect, it } from 'vitest';
import { detection } from './detection.fixture.js';
import { findDetections } from './live-detections.js';

const items = [
  detection('1', { subscriptionIdentifier: 'gate;c1', summary: '{"plate":"AB 12"}' }),
  detection('2', { subscriptionIdentifier: 'gate;c2', workerUrl: 'ws://w2' }),
  detection('3', { subscriptionIdentifier: 'hall;c1', processId: 'process-7' }),
];
const found = (text: string) => findDetections(items, text).map(({ detectionId }) => detectionId);

describe('findDetections', () => {
  it('finds words in subscription, worker, process and report', () => {
    expect(found('')).toEqual(['1', '2', '3']);
    expect(found('GATE')).toEqual(['1', '2']);
    expect(found('gate w2')).toEqual(['2']);
    expect(found('ab 12')).toEqual(['1']);
    expect(found('process-7')).toEqual(['3']);
  });
});
