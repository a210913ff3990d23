import type { ClusterFreshness } from '@detector-cluster/detector-cluster';
import { type AlertRecord, readAlertRecord } from '../../alerts/alert-record.js';
import { startRedis } from '@detector-cluster/dev-services';
import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { ClusterReader } from './cluster-reader.js';
import { ClusterPicture } from './cluster-picture.js';
import { testRecords } from './followed-records.fixture.js';

const up = { ok: true, since: 0, problem: null };

describe('ClusterPicture', () => {
  const records = testRecords();
  records.skipped.set({ d: { reason: 'r', detail: '' } });
  const alerts = `${randomPrefix()}:dashboard:alerts`;
  let redis: Redis;
  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  let freshness: ClusterFreshness = { asOf: new Date().toISOString(), stale: false };

  const pictureWith = (database: () => Promise<Error | null>, server = redis) =>
    new ClusterPicture({
      redis: server,
      alerts,
      reader: new ClusterReader(records, () => new Map()),
      cluster: {
        listEvents: async () => [],
        getFreshness: async () => freshness,
        getModels: async () => [],
        getRebalance: async () => null,
      },
      listeningSince: () => 0,
      health: {
        redis: { check: async () => null, status: up },
        database: { check: database, status: up },
        master: { status: up },
      },
    });

  it('reports that the elected process does not write the state', async () => {
    const picture = pictureWith(async () => null);
    await picture.look();
    expect(picture.view().sources.master).toMatchObject({ ok: true });
    freshness = { asOf: '2026-01-01T00:00:00.000Z', stale: true };
    await picture.look();
    expect(picture.view().sources.master).toMatchObject({
      ok: false,
      since: '2026-01-01T00:00:00.000Z',
      problem: expect.stringMatching(/frozen, cut off from Redis/),
    });
    freshness = { asOf: new Date().toISOString(), stale: false };
  });

  it('says that the memory of Redis is full while the elected process does not write the state', async () => {
    const server = await startRedis();
    const full = openRedis(server.url, commandSettings);
    try {
      await whenReady(full, 5_000);
      const picture = pictureWith(async () => null, full);
      freshness = { asOf: '2026-01-01T00:00:00.000Z', stale: true };
      await full.config('SET', 'maxmemory', '1');
      await picture.look();
      expect(picture.view().sources.master).toMatchObject({
        ok: false,
        problem: 'Redis refuses writes, because its memory is full',
      });
      await full.config('SET', 'maxmemory', '0');
      await picture.look();
      expect(picture.view().sources.master).toMatchObject({ problem: expect.stringMatching(/frozen/) });
    } finally {
      freshness = { asOf: new Date().toISOString(), stale: false };
      await closeRedis(full);
      await server.stop();
    }
  });

  it('shows the alerts that a master left, and those that no master can see', async () => {
    const picture = pictureWith(async () => null);
    const since = Date.UTC(2026, 0, 1, 12);
    const away = {
      name: 'DetectorClusterWorkersAway',
      summary: '1 worker is unavailable.',
      workerUrl: 'ws://b',
      since,
    } as const;
    const record: AlertRecord = {
      ...readAlertRecord(null),
      held: [{ ...away, fires: false }],
      receivers: { webhook: { sentAt: null, failedAt: since, problem: 'it answered 500' } },
    };
    await redis.set(alerts, JSON.stringify(record));
    freshness = { asOf: '2026-01-01T00:00:00.000Z', stale: true };
    await picture.look();
    expect(picture.view()).toMatchObject({
      alerts: {
        DetectorClusterWorkersAway: {
          ...away,
          severity: 'warning',
          since: '2026-01-01T12:00:00.000Z',
          firesAt: '2026-01-01T12:05:00.000Z',
        },
        DetectorClusterStateUnknown: { severity: 'critical', since: '2026-01-01T00:00:00.000Z' },
      },
      receivers: { webhook: { sentAt: null, failedAt: '2026-01-01T12:00:00.000Z', waiting: 0 } },
    });
    freshness = { asOf: new Date().toISOString(), stale: false };
    await redis.del(alerts);
    await picture.look();
    expect(picture.view()).toMatchObject({ alerts: {}, receivers: {} });
    expect(Object.keys(picture.view().alerts)).toEqual([]);
  });

  it('does not wait for a database that hangs, and asks it once', async () => {
    let asked = 0;
    const picture = pictureWith(() => {
      asked++;
      return new Promise(() => undefined);
    });
    await picture.look();
    await picture.look();
    expect(Object.keys(picture.view().skipped)).toEqual(['d']);
    expect(asked).toBe(1);
  });

  it('reports since when Redis answers but cannot be read, and keeps the last values', async () => {
    const picture = pictureWith(async () => null);
    await picture.look();
    records.workers.onRead = () => {
      throw new Error('WRONGTYPE');
    };
    await picture.look();
    const first = picture.view();
    expect(first.sources.redis).toMatchObject({ ok: false, problem: expect.stringMatching(/WRONGTYPE/) });
    expect(Object.keys(first.skipped)).toEqual(['d']);
    await picture.look();
    expect(picture.view().sources.redis).toEqual(first.sources.redis);
    records.workers.onRead = () => undefined;
    await picture.look();
    expect(picture.view().sources.redis).toMatchObject({ ok: true, problem: null });
  });
});
