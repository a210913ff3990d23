import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import type { EventsQuery } from '../api/cluster-types.js';
import { compareEventIds, EventHistory, mergeEvents } from './event-history.js';

const event = (number: number): EventItem => ({
  eventId: `1000-${number}`,
  type: 'worker-online',
  at: '2026-01-01T00:00:00.000Z',
  term: 1,
});

/** Answers as the service does. */
function journal(count: number) {
  const all = Array.from({ length: count }, (_, index) => event(index + 1));
  const asked: EventsQuery[] = [];
  const ask = async (query: EventsQuery) => {
    asked.push(query);
    const { after, cursor = '0', limit = 100 } = query;
    if (after === undefined) return { items: all.slice(-limit), nextCursor: null };
    const start = Number(cursor);
    const rest = all.filter(({ eventId }) => compareEventIds(eventId, after) > 0).slice(start);
    return { items: rest.slice(0, limit), nextCursor: rest.length > limit ? String(start + limit) : null };
  };
  return { all, asked, history: new EventHistory(ask) };
}

describe('EventHistory', () => {
  it('reads few events in one answer', async () => {
    const { all, asked, history } = journal(20);
    await history.loadOlder();
    expect(history.events.value).toEqual(all);
    expect(history.complete.value).toBe(true);
    await history.loadOlder();
    expect(asked).toHaveLength(1);
  });

  it('reads many events back to the first one', async () => {
    const { all, asked, history } = journal(3_500);
    await history.loadOlder();
    expect(history.events.value).toEqual(all.slice(-1_000));
    expect(history.complete.value).toBe(false);
    await history.loadOlder();
    expect(history.events.value).toEqual(all);
    expect(history.complete.value).toBe(true);
    expect(asked).toHaveLength(4);
  });

  it('ends if the events fill exactly one page', async () => {
    const { all, history } = journal(1_000);
    await history.loadOlder();
    await history.loadOlder();
    expect(history.events.value).toEqual(all);
    expect(history.complete.value).toBe(true);
  });

  it('reads the events since an instant, each once', async () => {
    const { all, asked, history } = journal(2_500);
    await Promise.all([history.loadSince(1_000), history.loadSince(1_000), history.loadOlder()]);
    expect(history.events.value).toEqual(all);
    const questions = asked.length;
    await history.loadSince(1_000);
    expect(asked).toHaveLength(questions);

    const newest = journal(20);
    await newest.history.loadSince(2_000);
    expect(newest.history.events.value).toEqual([]);
    expect(newest.history.complete.value).toBe(false);
  });

  it('keeps its events if the service fails', async () => {
    const answers = [
      Promise.resolve({ items: Array.from({ length: 1_000 }, (_, i) => event(i)), nextCursor: null }),
    ];
    const history = new EventHistory(() => answers.shift() ?? Promise.reject(new Error('away')));
    await history.loadOlder();
    await expect(history.loadOlder()).rejects.toThrow('away');
    expect(history.events.value).toHaveLength(1_000);
    expect(history.complete.value).toBe(false);
  });
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
