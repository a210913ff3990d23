import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentDetections } from '../../detections/recent-detections.js';
import { DetectionTail } from './detection-tail.js';

const SEEN = Date.parse('2026-01-01T00:00:00.000Z');

const add = (recent: RecentDetections, id: string, age = 0, data: unknown = {}) =>
  recent.add({
    detectionId: id,
    subscriptionIdentifier: 'd;c',
    workerUrl: 'ws://w',
    timestamp: new Date(SEEN).toISOString(),
    receivedAt: new Date(SEEN + age).toISOString(),
    redelivered: false,
    data,
  });

describe('DetectionTail', () => {
  it('shows the newest, counts the others, and leaves out nothing else', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 10 }),
        (size, limit, rounds) => {
          const recent = new RecentDetections(size);
          add(recent, 'before');
          const tail = new DetectionTail(recent, 'n');
          let added = 0;
          for (const count of rounds) {
            const ids = Array.from({ length: count }, () => String(added++));
            for (const id of ids) add(recent, id);
            const sent = Math.min(count, limit, size);
            const { items, skipped } = tail.next(limit);
            expect(items.map(({ detectionId }) => detectionId)).toEqual(ids.slice(count - sent));
            expect(skipped).toBe(count - sent);
          }
        },
      ),
    );
  });

  it('gives later readers the returned detections, and not the next ones', () => {
    const recent = new RecentDetections(5);
    const tail = new DetectionTail(recent, 'n');
    expect(tail.past(3)).toEqual([]);
    for (const id of ['a', 'b', 'c', 'd']) add(recent, id);
    tail.next(1);
    add(recent, 'e');
    const past = () => tail.past(3).map(({ detectionId }) => detectionId);
    expect(past()).toEqual(['b', 'c', 'd']);
    for (const id of ['f', 'g', 'h']) add(recent, id);
    expect(past()).toEqual(['d']);
  });

  it('shows the receiving process and the report, shortened', () => {
    const recent = new RecentDetections(5);
    const tail = new DetectionTail(recent, 'n');
    add(recent, 'a', 30, { text: '<b>' });
    add(recent, 'b', 51, { text: 'x'.repeat(1_000) });
    const { items, lagMs } = tail.next(20);
    expect(items[0]).toEqual({
      detectionId: 'a',
      subscriptionIdentifier: 'd;c',
      workerUrl: 'ws://w',
      processId: 'n',
      receivedAt: '2026-01-01T00:00:00.030Z',
      redelivered: false,
      detectedAt: '2026-01-01T00:00:00.000Z',
      label: null,
      confidence: null,
      boxes: [],
      pictureId: null,
      summary: '{"text":"<b>"}',
    });
    expect(items[1]!.summary).toHaveLength(500);
    expect(lagMs).toBe(41);
    expect(tail.next(20)).toEqual({ items: [], skipped: 0, lagMs: null });
  });
});
