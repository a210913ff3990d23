import { beforeEach, describe, expect, it } from 'vitest';
import type { ClusterHappening, RecordedClusterEvent } from '../shared/cluster-event.js';
import { OutageRecords } from './outage-records.js';

const BASE = Date.UTC(2026, 0, 1);
const SECOND = 1_000;

const settled = () => new Promise(setImmediate);
const outage = (processId: string, from: number, to: number) => ({
  processId,
  since: BASE + from * SECOND,
  until: BASE + to * SECOND,
});

describe('OutageRecords', () => {
  let events: RecordedClusterEvent[];
  let readable: boolean;

  beforeEach(() => {
    events = [];
    readable = true;
  });

  const record = (happening: ClusterHappening) =>
    void events.push({ ...happening, at: new Date().toISOString(), eventId: `${events.length}-0`, term: 1 });

  const list = async () => {
    if (!readable) throw new Error('Redis cannot be reached');
    return [...events];
  };

  /** Those of one term of a process. */
  const records = () => {
    const journal = { add: record };
    const outages = new OutageRecords({ journal, history: { list } });
    outages.start();
    return outages;
  };
  const types = () => events.map(({ type }) => type);

  it('record an outage of Redis with its times', async () => {
    records().redis(outage('a', 0, 12));
    await settled();
    expect(events).toMatchObject([
      {
        type: 'redis-unavailable',
        processId: 'a',
        since: '2026-01-01T00:00:00.000Z',
        until: '2026-01-01T00:00:12.000Z',
      },
    ]);
  });

  it('record an outage once, although several processes report it', async () => {
    records().redis(outage('a', 0, 12));
    await settled();
    records().redis(outage('b', 1, 14));
    records().redis(outage('c', 15, 16));
    await settled();
    expect(types()).toEqual(['redis-unavailable']);
  });

  it('record an outage once, although the history does not have it yet', async () => {
    readable = false;
    const term = records();
    term.redis(outage('a', 0, 12));
    term.redis(outage('b', 1, 14));
    term.redis(outage('a', 0, 12));
    await settled();
    expect(types()).toEqual(['redis-unavailable']);
  });

  it('record two outages that follow each other soon', async () => {
    records().redis(outage('a', 0, 2));
    await settled();
    records().redis(outage('a', 3, 4));
    await settled();
    records().redis(outage('b', 30, 32));
    await settled();
    expect(types()).toEqual(Array(3).fill('redis-unavailable'));
  });

  it('record an outage although the history cannot be read', async () => {
    readable = false;
    records().redis(outage('a', 0, 12));
    await settled();
    expect(types()).toEqual(['redis-unavailable']);
  });

  it('record the begin and the end of an outage of the database', async () => {
    const term = records();
    term.databaseRead();
    term.databaseFailed(new Error('\nInvalid call:\n\nno connection to postgresql://u:secret@db/x'));
    term.databaseFailed(new Error('again'));
    term.databaseRead();
    term.databaseRead();
    await settled();
    expect(events).toMatchObject([
      { type: 'database-unavailable', problem: expect.stringMatching(/^no connection to /) },
      { type: 'database-available', since: expect.stringMatching(/Z$/) },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('continue an outage of the database under the next master', async () => {
    records().databaseFailed(new Error('away'));
    await settled();
    const [begin] = events;
    const next = records();
    next.databaseFailed(new Error('still away'));
    next.databaseRead();
    await settled();
    expect(types()).toEqual(['database-unavailable', 'database-available']);
    expect(events[1]).toMatchObject({ since: begin!.at });
  });
});
