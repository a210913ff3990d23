import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { mergeEvents } from './merge-events.js';

const event = (number: number): EventItem => ({
  eventId: `1000-${number}`,
  type: 'worker-online',
  at: '2026-01-01T00:00:00.000Z',
  term: 1,
});

describe('mergeEvents', () => {
  it('has each event once, ordered by the number in its id', () => {
    const older = [event(2), event(9), event(10)];
    const newer = [event(10), event(11)];
    expect(mergeEvents(older, newer).map(({ eventId }) => eventId)).toEqual([
      '1000-2',
      '1000-9',
      '1000-10',
      '1000-11',
    ]);
    expect(mergeEvents([], newer)).toEqual(newer);
    expect(mergeEvents(older, [])).toBe(older);
    expect(mergeEvents([event(1), event(10), event(12)], [event(10), event(11)])).toEqual(
      [1, 10, 11, 12].map(event),
    );
  });
});
