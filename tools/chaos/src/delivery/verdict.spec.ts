import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../journal/journal-line.js';
import { judge } from './verdict.js';

const delivery = (sequence: number, more: Partial<Delivery> = {}): Delivery => ({
  process: 1,
  detectionId: `1-1-${sequence}`,
  subscriptionIdentifier: 'display;camera',
  workerUrl: 'ws://worker',
  sequence,
  at: sequence,
  ...more,
});
const ids = (...sequences: number[]) => new Set(sequences.map((n) => `1-1-${n}`));

describe('judge', () => {
  it('finds nothing wrong with each delivered once, in order', () => {
    expect(
      judge(
        ids(1, 2, 4),
        [1, 2, 4].map((n) => delivery(n)),
      ),
    ).toEqual({
      lost: 0,
      duplicates: 0,
      outOfOrder: 0,
      unaccounted: 0,
      deliveries: 3,
    });
  });

  it('counts what was accepted and never delivered', () => {
    expect(judge(ids(1, 2, 3), [delivery(2)]).lost).toBe(2);
  });

  it('counts what was delivered without having been accepted', () => {
    expect(judge(ids(1), [delivery(1), delivery(2)]).unaccounted).toBe(1);
  });

  it('does not ask how that was accepted which was delivered before somebody watched', () => {
    expect(judge(ids(2), [delivery(1), delivery(2)], 1)).toMatchObject({ lost: 0, unaccounted: 0 });
  });

  it('counts repetitions, in whatever process, and does not judge their order', () => {
    const deliveries = [delivery(1), delivery(2), delivery(1), delivery(2, { process: 2 })];
    expect(judge(ids(1, 2), deliveries)).toMatchObject({ duplicates: 2, outOfOrder: 0 });
  });

  it('counts first deliveries that come too late in their process', () => {
    expect(judge(ids(1, 2, 3), [delivery(3), delivery(1), delivery(2)]).outOfOrder).toBe(2);
  });

  it.each<Partial<Delivery>>([
    { process: 2 },
    { subscriptionIdentifier: 'other;camera' },
    { workerUrl: 'ws://other' },
  ])('promises no order between %j and the rest', (more) => {
    expect(judge(ids(1, 2), [delivery(2), delivery(1, more)]).outOfOrder).toBe(0);
  });
});
