import { describe, expect, it } from 'vitest';
import type { Delivery } from '@detector-cluster/history';
import { describeGap, longestGap } from './longest-gap.js';

const delivery = (subscriptionIdentifier: string, at: number): Delivery => ({
  process: 1,
  detectionId: `1-1-${at}`,
  subscriptionIdentifier,
  workerUrl: 'ws://worker',
  sequence: at,
  at,
  takenAt: at,
  startedAt: at,
});

describe('longestGap', () => {
  it('is between two detections of one subscription, independent of others', () => {
    const deliveries = [
      delivery('a', 10),
      delivery('b', 15),
      delivery('b', 35),
      delivery('a', 40),
      delivery('b', 45),
    ];
    expect(longestGap(deliveries, ['a', 'b'], 0, 50).ms).toBe(30);
  });

  it('counts from the beginning and until the end', () => {
    expect(longestGap([delivery('a', 40)], ['a'], 0, 50).ms).toBe(40);
    expect(longestGap([delivery('a', 10)], ['a'], 0, 50).ms).toBe(40);
  });

  it('is the whole time if a subscription got nothing', () => {
    expect(longestGap([delivery('a', 25)], ['a', 'b'], 0, 50).ms).toBe(50);
  });

  it('ignores deliveries before and after the time', () => {
    expect(longestGap([delivery('a', 5), delivery('a', 60), delivery('a', 70)], ['a'], 50, 75).ms).toBe(10);
  });

  it('names the deliveries on both sides, and counts those of other subscriptions in between', () => {
    const [first, second] = [delivery('a', 10), delivery('a', 40)];
    const gap = longestGap([first, delivery('b', 20), delivery('b', 30), second], ['a', 'b'], 0, 50);
    expect(gap).toEqual({ ms: 30, subscriptionIdentifier: 'a', before: first, after: second, others: 2 });
    expect(describeGap(gap)).toBe(
      'longest gap: 30 ms, a, from 1-1-10 (number 10 of ws://worker) in process 1 to 1-1-40 (number 40 of ws://worker) ' +
        'in process 1; 2 detections of others in between',
    );
    expect(describeGap(longestGap([], ['a'], 0, 50))).toBe(
      'longest gap: 50 ms, a, from the beginning to the end; 0 detections of others in between',
    );
  });
});
