import { describe, expect, it } from 'vitest';
import type { Delivery } from './history-line.js';
import { judge, judgeFailover, missingOfSent } from './verdict.js';

/** By default the worker's number is also the instant of the start. */
const start = (sequence: number, more: Partial<Delivery> = {}): Delivery => ({
  process: 1,
  detectionId: `1-1-${sequence}`,
  subscriptionIdentifier: 'display;camera',
  workerUrl: 'ws://worker',
  sequence,
  at: sequence,
  takenAt: sequence,
  startedAt: sequence,
  ...more,
});
const ids = (...sequences: number[]) => sequences.map((n) => `1-1-${n}`);
const verdict = (accepted: string[], deliveries: Delivery[]) => judge({ accepted, deliveries });

describe('judge', () => {
  it('finds nothing wrong when each detection starts once and in order', () => {
    const deliveries = [1, 2, 4].map((n) => start(n));
    expect(verdict(ids(1, 2, 4), deliveries)).toEqual({
      lost: 0,
      duplicates: 0,
      lateStarts: 0,
      lateAcceptances: 0,
      unaccounted: 0,
      moves: 0,
    });
  });

  it('counts accepted detections that never start as lost', () => {
    expect(verdict(ids(1, 2, 3), [start(2)]).lost).toBe(2);
  });

  it('does not count dropped detections as lost', () => {
    const observation = { accepted: ids(1, 2, 3), dropped: new Set(ids(1)), deliveries: [start(2)] };
    expect(judge(observation).lost).toBe(1);
  });

  it('counts starts of detections that were never accepted as unaccounted', () => {
    expect(verdict(ids(1), [start(1), start(2)]).unaccounted).toBe(1);
  });

  it('counts repetitions in all processes, and does not judge their order', () => {
    const repetitions = [start(1, { startedAt: 8 }), start(2, { process: 2, startedAt: 9 })];
    expect(verdict(ids(1, 2), [start(1), start(2), ...repetitions])).toMatchObject({
      duplicates: 2,
      lateStarts: 0,
    });
  });

  it('counts a first start in one process after a later detection has started in another', () => {
    const deliveries = [start(1), start(3, { process: 2 }), start(2, { startedAt: 4 })];
    expect(verdict(ids(1, 2, 3), deliveries).lateStarts).toBe(1);
  });

  it('merges processes by the instant, not by the order of the journal', () => {
    const deliveries = [start(2, { process: 2 }), start(1), start(3)];
    expect(verdict(ids(1, 2, 3), deliveries).lateStarts).toBe(0);
  });

  it('takes the earliest start as the first, regardless of its place in the journal', () => {
    const late = start(1, { process: 2, startedAt: 9 });
    expect(verdict(ids(1, 2), [late, start(1), start(2)])).toMatchObject({ lateStarts: 0, duplicates: 1 });
  });

  it('judges the order of starts by acceptance, also between workers', () => {
    const other = start(2, { workerUrl: 'ws://other', sequence: 1 });
    expect(verdict(ids(1, 2), [start(1), other])).toMatchObject({ lateStarts: 0, moves: 1 });
    expect(verdict(ids(2, 1), [start(1), other])).toMatchObject({ lateStarts: 1, moves: 1 });
  });

  it("counts detections that Redis accepts in another order than the worker's", () => {
    const deliveries = [start(2, { startedAt: 1 }), start(1, { startedAt: 2 })];
    expect(verdict(ids(2, 1), deliveries)).toMatchObject({ lateStarts: 0, lateAcceptances: 1 });
  });

  it('counts a frame of a worker that is accepted twice under two ids', () => {
    const again = start(2, { sequence: 1 });
    expect(verdict(ids(1, 2), [start(1), again]).lateAcceptances).toBe(1);
  });

  it('promises no order between subscriptions', () => {
    const other = start(1, { subscriptionIdentifier: 'other;camera', startedAt: 3 });
    expect(verdict(ids(1, 2), [start(2), other])).toMatchObject({ lateStarts: 0, lateAcceptances: 0 });
  });
});

const sent = (last: number, workerUrl = 'ws://worker', dropped: [first: number, last: number][] = []) => ({
  workerUrl,
  sequences: { 'display;camera': last },
  dropped: { 'display;camera': dropped },
});
const at = (place: number, sequence: number, workerUrl = 'ws://worker') =>
  start(place, { sequence, workerUrl });
/** Each as `<first>-<last>`. Place n is accepted at n. */
const missing = (
  deliveries: readonly Delivery[],
  workers: ReturnType<typeof sent>[],
  ...holders: [at: number, workerUrl: string][]
) => {
  const accepted = deliveries.map((_, i) => ({ id: `1-1-${i + 1}`, at: i + 1 }));
  const held = holders.map(([at, workerUrl]) => ({
    subscriptionIdentifier: 'display;camera',
    workerUrl,
    at,
  }));
  return missingOfSent({ accepted, deliveries, sent: workers, held }).map(
    ({ first, last }) => `${first}-${last}`,
  );
};

describe('missingOfSent', () => {
  it('finds nothing missing when all that was sent was accepted', () => {
    expect(missing([at(1, 1), at(2, 2), at(3, 3)], [sent(3)])).toEqual([]);
  });

  it('finds what is missing before, between and after', () => {
    expect(missing([at(1, 3), at(2, 5)], [sent(9)]).sort()).toEqual(['1-2', '4-4', '6-9']);
  });

  it('excuses what two workers send while a camera moves, and nothing else', () => {
    const moves = [at(1, 1), at(2, 4, 'ws://other'), at(3, 6, 'ws://other'), at(4, 9)];
    expect(missing(moves, [sent(9), sent(8, 'ws://other')])).toEqual(['5-5']);
  });

  it('excuses what a worker sends while another one holds the subscription, although that one has sent nothing', () => {
    const [here, away] = ['ws://worker', 'ws://other'];
    const there = [at(1, 1), at(2, 2), at(3, 6)];
    expect(missing(there, [sent(9)], [0, here], [2.5, away], [2.7, here])).toEqual(['7-9']);
    expect(missing(there, [sent(9)], [0, here], [3.5, away])).toEqual(['3-5']);
    expect(missing(there, [sent(9)], [0, here], [2.5, here])).toEqual(['3-5', '7-9']);
    // What the master had taken before may be accepted a little later.
    expect(missing(there, [sent(9)], [0, here], [2.9, away])).toEqual([]);
  });

  it('excuses what a worker has dropped, except where it was accepted before', () => {
    const worker = sent(12, 'ws://worker', [
      [2, 4],
      [7, 9],
    ]);
    expect(missing([at(1, 1), at(2, 3), at(3, 6), at(4, 10)], [worker]).sort()).toEqual(['11-12', '5-5']);
  });
});

const acceptedOf = (...sequences: number[]) => new Set(sequences.map((n) => `1-1-${n}`));

describe('judgeFailover', () => {
  it('finds nothing wrong if all accepted detections start in order, with gaps and further ones', () => {
    const deliveries = [start(1), start(3), start(4)];
    expect(judgeFailover(acceptedOf(1, 3), deliveries)).toEqual({ lost: 0, outOfOrder: 0, duplicates: 0 });
  });

  it('counts accepted detections that never start as lost', () => {
    expect(judgeFailover(acceptedOf(1, 2, 3), [start(2)]).lost).toBe(2);
  });

  it('counts a first start after that of a later frame, across processes', () => {
    const deliveries = [start(1), start(3, { process: 2 }), start(2, { startedAt: 4 })];
    expect(judgeFailover(acceptedOf(), deliveries).outOfOrder).toBe(1);
  });

  it('counts a frame that is delivered under two ids', () => {
    expect(judgeFailover(acceptedOf(), [start(1), start(2, { sequence: 1 })]).outOfOrder).toBe(1);
  });

  it('counts repetitions, and does not judge their order', () => {
    const deliveries = [start(1), start(2), start(1, { process: 2, startedAt: 3 })];
    expect(judgeFailover(acceptedOf(1, 2), deliveries)).toEqual({ lost: 0, outOfOrder: 0, duplicates: 1 });
  });
});
