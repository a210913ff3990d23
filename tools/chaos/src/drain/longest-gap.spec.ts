import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../journal/journal-line.js';
import { longestGap } from './longest-gap.js';

const delivery = (subscriptionIdentifier: string, at: number): Delivery => ({
  process: 1,
  detectionId: `1-1-${at}`,
  subscriptionIdentifier,
  workerUrl: 'ws://worker',
  sequence: at,
  at,
});

describe('longestGap', () => {
  it('is between two detections of one subscription, whatever others get', () => {
    const deliveries = [
      delivery('a', 10),
      delivery('b', 15),
      delivery('b', 35),
      delivery('a', 40),
      delivery('b', 45),
    ];
    expect(longestGap(deliveries, ['a', 'b'], 0, 50)).toBe(30);
  });

  it('counts from the beginning and to the end', () => {
    expect(longestGap([delivery('a', 40)], ['a'], 0, 50)).toBe(40);
    expect(longestGap([delivery('a', 10)], ['a'], 0, 50)).toBe(40);
  });

  it('is the whole time where a subscription got nothing', () => {
    expect(longestGap([delivery('a', 25)], ['a', 'b'], 0, 50)).toBe(50);
  });

  it('leaves out what was before and after', () => {
    expect(longestGap([delivery('a', 5), delivery('a', 60), delivery('a', 70)], ['a'], 50, 75)).toBe(10);
  });
});
