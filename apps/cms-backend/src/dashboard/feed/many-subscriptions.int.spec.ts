import { clusterKeys } from '@detector-cluster/detector-cluster/store';
import type { DashboardMessage, WelcomeMessage } from '@detector-cluster/dashboard-protocol';
import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { useTestApp } from '../../test-app.fixture.js';
import { PageClient } from '../page-client.fixture.js';

const record = (subscriptionIdentifier: string, status: string) =>
  JSON.stringify({
    subscriptionIdentifier,
    assignedWorkerUrl: '',
    status,
    reason: '',
    since: '2026-01-01T00:00:00.000Z',
  });

const records = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i};c`, record(`d${i};c`, 'pending')]));

describe('subscriptions in the messages to a page', () => {
  const prefix = `${randomPrefix()}:`;
  const keys = clusterKeys(prefix);
  const api = useTestApp({ KEY_PREFIX: prefix });
  let redis: Redis;
  const pages: PageClient[] = [];

  /** Opens a page; returns the names of its messages after the welcome. */
  const open = async () => {
    const page = await PageClient.open(api.url);
    pages.push(page);
    const received: string[] = [];
    page.socket.on('message', (frame: Buffer) => {
      const { event, data } = JSON.parse(String(frame)) as WelcomeMessage | DashboardMessage;
      if (event === 'welcome') return;
      const has = event === 'snapshot' && data.view.subscriptions !== null;
      received.push(has ? 'snapshot with subscriptions' : event);
    });
    return received;
  };

  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
    // A new master removes subscriptions that nothing desires, so those of the tests come later.
    await eventually(async () =>
      expect((await api.send('POST', '/api/cluster/regenerate')).status).toBe(200),
    );
  }, 2 * TIMEOUT);
  afterAll(async () => {
    for (const page of pages) page.socket.terminate();
    await redis.del(keys.actual);
    closeRedis(redis);
  }, TIMEOUT);

  const allShow = (count: number) =>
    eventually(async () => {
      for (const { view } of pages) expect(Object.keys(view!.subscriptions!)).toHaveLength(count);
    });

  it('are part of the snapshot if they are few', async () => {
    const first = await open();
    await eventually(async () => expect(first.length).toBeGreaterThan(2));
    await redis.hset(keys.actual, records(2));
    await allShow(2);
    const second = await open();
    await allShow(2);
    expect(second[0]).toBe('snapshot with subscriptions');
  });

  it('follow the snapshot if they are many, and then change like all other rows', async () => {
    await redis.hset(keys.actual, records(2_500));
    await eventually(async () => expect(Object.keys(pages[0]!.view!.subscriptions!)).toHaveLength(2_500));
    const received = await open();
    await eventually(async () => expect(received.length).toBeGreaterThan(2));
    expect(received.slice(0, 3)).toEqual(['snapshot', 'subscriptions', 'patch']);
    await redis.hset(keys.actual, 'd7;c', record('d7;c', 'active'));
    await redis.hdel(keys.actual, 'd8;c');
    await allShow(2_499);
    await eventually(async () => {
      for (const { view } of pages) expect(view!.subscriptions!['d7;c']).toMatchObject({ status: 'active' });
    });
    expect(pages.map(({ gaps }) => gaps)).toEqual([0, 0, 0]);
  });
});
