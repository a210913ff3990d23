import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentDetections, type ReceivedDetection } from './recent-detections.js';

const detection = (detectionId: string, redelivered = false): ReceivedDetection => ({
  detectionId,
  subscriptionIdentifier: 'd;c',
  workerUrl: 'ws://w',
  timestamp: '2025-01-01T00:00:00.000Z',
  receivedAt: '2025-01-01T00:00:00.000Z',
  redelivered,
  data: {},
});

const isA = ({ detectionId }: ReceivedDetection) => detectionId === 'a';

describe('RecentDetections', () => {
  it('is empty at first', () => {
    const recent = new RecentDetections(3, 1);
    expect(recent.after(null, 10)).toEqual({ items: [], nextCursor: 999, missed: false });
    expect(recent.after(0, 10)).toEqual({ items: [], nextCursor: 999, missed: false });
    expect(recent.stats()).toEqual({ delivered: 0, redelivered: 0, lastArrival: 999 });
  });

  it('counts every delivery, and redeliveries', () => {
    const recent = new RecentDetections(2);
    for (const id of ['a', 'b', 'a', 'c', 'a']) recent.add(detection(id, id === 'c'));
    expect(recent.stats()).toMatchObject({ delivered: 5, redelivered: 1 });
  });

  it('says when detections were dropped before they were read', () => {
    const recent = new RecentDetections(2);
    recent.add(detection('a'));
    const { nextCursor } = recent.after(null, 10);
    for (const id of ['b', 'c']) recent.add(detection(id));
    expect(recent.after(nextCursor, 10)).toMatchObject({ missed: false });
    recent.add(detection('d'));
    expect(recent.after(nextCursor, 10)).toMatchObject({ missed: true });
  });

  it('skips detections that do not match', () => {
    const recent = new RecentDetections(10);
    for (const id of ['a', 'b', 'a', 'b', 'a', 'b']) recent.add(detection(id));
    const first = recent.after(null, 2, isA);
    expect(first.items.map(({ detectionId }) => detectionId)).toEqual(['a', 'a']);
    const second = recent.after(first.nextCursor, 2, isA);
    expect(second.items.map(({ detectionId }) => detectionId)).toEqual(['a']);
    expect(second.nextCursor).toBe(recent.stats().lastArrival);
    expect(recent.after(second.nextCursor, 2, isA)).toEqual({ ...second, items: [] });
  });

  it('has cursors above those of a process that ran before', () => {
    const earlier = new RecentDetections(2, 1_000);
    for (let i = 0; i < 900; i++) earlier.add(detection(String(i)));
    const later = new RecentDetections(2, 1_001);
    later.add(detection('x'));
    expect(later.after(earlier.stats().lastArrival, 10).items.map((item) => item.detectionId)).toEqual(['x']);
  });

  it('gives a poller that keeps up every detection once and in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        (size, limit, steps) => {
          const recent = new RecentDetections(size);
          const added: string[] = [];
          const read: string[] = [];
          let cursor: number | null = null;
          const poll = () => {
            const page = recent.after(cursor, limit);
            expect(page.missed).toBe(false);
            expect(page.nextCursor).toBeGreaterThanOrEqual(cursor ?? 0);
            cursor = page.nextCursor;
            read.push(...page.items.map((item) => item.detectionId));
          };
          for (const add of steps) {
            if (add && added.length - read.length < size) {
              added.push(String(added.length));
              recent.add(detection(String(added.length - 1)));
            } else poll();
          }
          while (read.length < added.length) poll();
          expect(read).toEqual(added);
        },
      ),
    );
  });
});
