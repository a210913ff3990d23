import type { DetectorCluster, RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { describe, expect, it } from 'vitest';
import { findEvents } from './find-events.js';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

const place = (eventId: string) => Number(eventId.split('-')[0]);

/** Only a search for a text needs the names of workers. */
const getState = () => Promise.reject(new Error('not needed'));

/** One event a minute by the clock of Redis. The clock of the master is ahead. */
function journal(count: number, ahead: number) {
  const all = Array.from({ length: count }, (_, n) => {
    const time = NOW - (count - n) * MINUTE;
    const at = new Date(time + ahead).toISOString();
    return { eventId: `${time}-0`, type: 'cluster-frozen', at, term: 1 } as RecordedClusterEvent;
  });
  let read = 0;
  const listEvents: DetectorCluster['listEvents'] = async ({ after, before, limit = 100 } = {}) => {
    const events =
      after === undefined
        ? all.filter(({ eventId }) => before === undefined || place(eventId) < place(before)).slice(-limit)
        : all.filter(({ eventId }) => place(eventId) > place(after)).slice(0, limit);
    read += events.length;
    return events;
  };
  return { listEvents, read: () => read };
}

describe('findEvents', () => {
  it.each(['at', '-at', undefined] as const)(
    'reads little to find late events, sorted by %s',
    async (sort) => {
      const { listEvents, read } = journal(9_000, 0);
      const from = new Date(NOW - 10 * MINUTE);
      const { items } = await findEvents({ listEvents, getState }, { limit: 50, from, sort });
      expect(items).toHaveLength(10);
      expect(read()).toBeLessThanOrEqual(1_000);
    },
  );

  it('finds events of a master whose clock is half an hour ahead', async () => {
    const { listEvents } = journal(9_000, 30 * MINUTE);
    const from = new Date(NOW);
    const { items } = await findEvents({ listEvents, getState }, { limit: 50, from, sort: 'at' });
    expect(items).toHaveLength(30);
  });
});
