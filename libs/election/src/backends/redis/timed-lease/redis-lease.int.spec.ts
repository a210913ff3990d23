import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pretendInfo } from '../../../test-support/pretend-info.js';
import { untilElectable } from '../../../test-support/until-electable.js';
import { RedisLease } from './redis-lease.js';

const url = process.env.REDIS_URL!;
/** Longer than a busy machine lets this process or Redis stand still. Milliseconds. */
const TTL = 5_000;

describe('RedisLease', () => {
  let redis: Redis;
  let key: string;
  let lease: RedisLease;

  beforeAll(() => untilElectable(url, TTL), 30_000);
  beforeEach(() => {
    redis = new Redis(url);
    key = `feed-${randomUUID()}:lease`;
    lease = new RedisLease(() => redis, key, 'channel', 1_000);
  });
  afterEach(async () => {
    await redis.del(key);
    redis.disconnect();
  });

  const acquire = (owner: string, claimedFor = 0, ttl = TTL, seen = { floor: 0, floorTtl: 0 }) =>
    lease.acquire({ owner, candidateId: owner, ttl, claimedFor, ...seen });

  it('grants the same term to a repeated claim, unless the server may have lost a successor since', async () => {
    pretendInfo(redis, () => 'uptime_in_seconds:20\r\n');
    const { term } = await acquire('a');
    expect(await acquire('a', 10_000)).toMatchObject({ owner: 'a', term });
    const again = await acquire('a', 30_000);
    expect(again.owner).toBe('a');
    expect(again.term).toBeGreaterThan(term);
  });

  it('does not grant a repeated claim while a lost successor may still lead', async () => {
    await acquire('a');
    pretendInfo(redis, () => 'uptime_in_seconds:1\r\n');
    await expect(acquire('a', 30_000)).rejects.toMatchObject({ name: 'StoreRestartedError' });
  });

  describe('on a server that has started a minute ago', () => {
    const LONG = 300_000;
    const retryIn = LONG + 1_000 - 60_000;
    const restarted = { name: 'StoreRestartedError', retryIn };
    beforeEach(() => pretendInfo(redis, () => 'uptime_in_seconds:60\r\n'));

    it('grants nothing while a longer lease may be valid that a candidate has seen and the server has lost', async () => {
      await expect(acquire('a', 0, TTL, { floor: 5, floorTtl: LONG })).rejects.toMatchObject(restarted);
      // Nor to candidates that have not seen it.
      await expect(acquire('b')).rejects.toMatchObject(restarted);
    });

    it('grants nothing while the last lease may be valid, which the server knows', async () => {
      await redis.hset(key, { owner: 'a', leader: 'a', term: 5, until: 1, ttl: LONG });
      await expect(acquire('b')).rejects.toMatchObject(restarted);
    });

    it('grants a lease when the last one was released, whatever candidates have seen of it', async () => {
      const { term, ttl } = await acquire('a');
      expect(ttl).toBe(TTL);
      await lease.release({ owner: 'a', candidateId: 'a', ttl: TTL });
      expect(await acquire('b', 0, TTL, { floor: term, floorTtl: LONG })).toMatchObject({ owner: 'b' });
    });

    it.each(['', 'x', '-1', '0', 'nan', 'inf', '3600001'])(
      'grants a lease when the length of the last one is %j',
      async (ttl) => {
        await redis.hset(key, { owner: 'a', leader: 'a', term: 5, until: 1, ttl });
        expect(await acquire('b')).toMatchObject({ owner: 'b', ttl: TTL });
      },
    );
  });

  it('grants a lease after the server clock was set back past its start', async () => {
    pretendInfo(redis, () => 'uptime_in_seconds:-3600\r\nrun_id:one\r\n');
    await expect(acquire('a', 0, 1_000)).rejects.toMatchObject({
      name: 'StoreRestartedError',
      retryIn: 2_000,
    });
    const granted = await vi.waitFor(() => acquire('a', 0, 1_000), { timeout: 20_000, interval: 100 });
    expect(granted).toMatchObject({ owner: 'a' });
  });
});
