import { describe, expect, it } from 'vitest';
import type { Delivery } from '../journal/journal.js';
import { judgeFailover } from './failover-verdict.js';

const start = (sequence: number, more: Partial<Delivery> = {}): Delivery => ({
  process: 1,
  detectionId: `1-1-${sequence}`,
  subscriptionIdentifier: 'display;camera',
  workerUrl: 'ws://worker',
  sequence,
  at: sequence,
  startedAt: sequence,
  ...more,
});
const accepted = (...sequences: number[]) => new Set(sequences.map((n) => `1-1-${n}`));

describe('judgeFailover', () => {
  it('finds nothing wrong if all accepted detections start in order, with gaps and further ones', () => {
    const deliveries = [start(1), start(3), start(4)];
    expect(judgeFailover(accepted(1, 3), deliveries)).toEqual({ lost: 0, outOfOrder: 0, duplicates: 0 });
  });

  it('counts accepted detections that never start as lost', () => {
    expect(judgeFailover(accepted(1, 2, 3), [start(2)]).lost).toBe(2);
  });

  it('counts a first start after that of a later frame, across processes', () => {
    const deliveries = [start(1), start(3, { process: 2 }), start(2, { startedAt: 4 })];
    expect(judgeFailover(accepted(), deliveries).outOfOrder).toBe(1);
  });

  it('counts a frame that is delivered under two ids', () => {
    expect(judgeFailover(accepted(), [start(1), start(2, { sequence: 1 })]).outOfOrder).toBe(1);
  });

  it('counts repetitions, and does not judge their order', () => {
    const deliveries = [start(1), start(2), start(1, { process: 2, startedAt: 3 })];
    expect(judgeFailover(accepted(1, 2), deliveries)).toEqual({ lost: 0, outOfOrder: 0, duplicates: 1 });
  });
});
