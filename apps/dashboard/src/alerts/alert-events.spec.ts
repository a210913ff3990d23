import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import type { EventsAnswer, EventsQuery } from '../api/cluster-types.js';
import { AlertEvents } from './alert-events.js';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

const event = (number: number): EventItem => ({
  eventId: `1000-${number}`,
  type: 'master-acquired',
  at: '2026-01-01T11:30:00.000Z',
  term: 1,
});

function alertEvents(...answers: (EventsAnswer | Error)[]) {
  const asked: EventsQuery[] = [];
  const of = new AlertEvents(async (query) => {
    asked.push(query);
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { asked, of };
}

describe('AlertEvents', () => {
  it('reads all events of the last hour that alerts need, page by page', async () => {
    const { asked, of } = alertEvents(
      { items: [event(3), event(4)], nextCursor: '-1000-3' },
      { items: [event(1), event(2)], nextCursor: null },
    );
    await of.load(NOW);
    expect(of.events.value).toEqual([1, 2, 3, 4].map(event));
    const { type, from, limit } = asked[0]!;
    expect(type?.split(',')).toEqual(
      expect.arrayContaining(['master-acquired', 'camera-moved', 'camera-move-failed', 'worker-offline']),
    );
    expect(from).toBe('2026-01-01T11:00:00.000Z');
    expect(asked).toEqual([
      { type, from, limit },
      { type, from, limit, cursor: '-1000-3' },
    ]);
  });

  it('keeps its events if the service fails', async () => {
    const { of } = alertEvents(
      { items: [event(1)], nextCursor: null },
      { items: [event(2)], nextCursor: '-1000-2' },
      new Error('away'),
    );
    await of.load(NOW);
    await of.load(NOW);
    expect(of.events.value).toEqual([event(1)]);
  });
});
