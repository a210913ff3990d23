import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis } from '@detector-cluster/election/redis';
import { afterAll, describe, expect, it } from 'vitest';
import { FencedStore } from '@detector-cluster/election/fence';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { clusterKeys } from '../shared/cluster-keys.js';
import { EventJournal } from './event-journal.js';
import { EventHistory } from './event-history.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually } from '../../../../test/support/until.js';

describe('worker:events', () => {
  const redis = openPatientRedis(process.env.REDIS_URL!);
  afterAll(() => closeRedis(redis));

  it('holds the events of the master in order, page by page', async () => {
    const keys = clusterKeys(`{test-${randomUUID()}}:`);
    const journal = new EventJournal(new FencedStore(redis, keys.fence, 7), keys);
    journal.add({ type: 'worker-online', url: 'ws://a' });
    journal.add({ type: 'camera-moved', cameraId: 'c1', from: 'ws://a', to: 'ws://b', reason: 'drain' });
    const history = new EventHistory(redis, keys);
    const all = await eventually('both events', 5_000, async () => {
      const events = await history.list();
      return events.length === 2 && events;
    });
    expect(all).toMatchObject([
      { type: 'worker-online', at: expect.stringMatching(/^2.*Z$/), term: 7, url: 'ws://a' },
      { type: 'camera-moved', cameraId: 'c1', from: 'ws://a', to: 'ws://b', reason: 'drain' },
    ]);
    expect(await history.list({ limit: 1 })).toEqual([all[1]]);
    expect(await history.list({ after: all[0]!.eventId })).toEqual([all[1]]);
    expect(await history.list({ before: all[1]!.eventId })).toEqual([all[0]]);
    expect(await history.list({ before: `${Date.now() + 60_000}-0`, limit: 1 })).toEqual([all[1]]);
    await expect(history.list({ after: 'x' })).rejects.toThrow(InvalidInputError);
    await expect(history.list({ before: 'x' })).rejects.toThrow('before');
    await expect(history.list({ after: '0-0', before: '1-0' })).rejects.toThrow('together with "after"');
    await expect(history.list({ limit: 0 })).rejects.toThrow('limit');
    journal.close();
  });

  it('accepts nothing from a master that was replaced', async () => {
    const keys = clusterKeys(`{test-${randomUUID()}}:`);
    await new FencedStore(redis, keys.fence, 8).raise();
    const journal = new EventJournal(new FencedStore(redis, keys.fence, 7), keys);
    const successor = new EventJournal(new FencedStore(redis, keys.fence, 8), keys);
    journal.add({ type: 'worker-online', url: 'ws://old' });
    successor.add({ type: 'worker-online', url: 'ws://new' });
    const history = new EventHistory(redis, keys);
    await eventually('an event', 5_000, async () => (await history.list()).length > 0);
    await sleep(300);
    expect(await history.list()).toMatchObject([{ url: 'ws://new', term: 8 }]);
    journal.close();
    successor.close();
  });
});
