import type { ClusterFreshness } from '@detector-cluster/detector-cluster';
import { clusterKeys } from '@detector-cluster/detector-cluster/store';
import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { ClusterReader } from './cluster-reader.js';
import { ClusterPicture } from './cluster-picture.js';

const up = { ok: true, since: 0, problem: null };

describe('ClusterPicture', () => {
  const keys = clusterKeys(`${randomPrefix()}:`);
  let redis: Redis;
  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
    await redis.hset(keys.skipped, 'd', '{"reason":"r","detail":""}');
  });
  afterAll(async () => {
    await redis.del(keys.skipped, keys.connections);
    closeRedis(redis);
  });

  let freshness: ClusterFreshness = { asOf: new Date().toISOString(), stale: false };

  const pictureWith = (database: () => Promise<Error | null>) =>
    new ClusterPicture({
      redis,
      reader: new ClusterReader(keys, () => new Map()),
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
    await redis.set(keys.connections, 'no hash');
    await picture.look();
    const first = picture.view();
    expect(first.sources.redis).toMatchObject({ ok: false, problem: expect.stringMatching(/WRONGTYPE/) });
    expect(Object.keys(first.skipped)).toEqual(['d']);
    await picture.look();
    expect(picture.view().sources.redis).toEqual(first.sources.redis);
    await redis.del(keys.connections);
    await picture.look();
    expect(picture.view().sources.redis).toMatchObject({ ok: true, problem: null });
  });
});
