import type { ClusterFreshness } from '@detector-cluster/detector-cluster';
import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterReader } from './cluster-reader.js';
import { ClusterPicture } from './cluster-picture.js';
import { testRecords } from './followed-records.fixture.js';

const up = { ok: true, since: 0, problem: null };

describe('ClusterPicture', () => {
  const records = testRecords();
  records.skipped.set({ d: { reason: 'r', detail: '' } });
  let redis: Redis;
  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  let freshness: ClusterFreshness = { asOf: new Date().toISOString(), stale: false };

  const pictureWith = (database: () => Promise<Error | null>) =>
    new ClusterPicture({
      redis,
      reader: new ClusterReader(records, () => new Map()),
      cluster: {
        listEvents: async () => [],
        getFreshness: async () => freshness,
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
      problem: expect.stringMatching(/does not write/),
    });
    freshness = { asOf: new Date().toISOString(), stale: false };
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
