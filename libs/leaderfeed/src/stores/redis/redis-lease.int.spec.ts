import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pretendInfo } from '../../../../election/src/test-support/pretend-info.js';
import { untilElectable } from '../../../../election/src/test-support/until-electable.js';
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

  const acquire = (owner: string, claimedFor = 0, ttl = TTL) =>
    lease.acquire({ owner, candidateId: owner, ttl, floor: 0, claimedFor });

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

  it('grants a lease after the server clock was set back past its start', async () => {
    pretendInfo(redis, () => 'uptime_in_seconds:-3600\r\nrun_id:one\r\n');
    await expect(acquire('a', 0, 1_000)).rejects.toMatchObject({
      name: 'StoreRestartedError',
      retryIn: 3_000,
    });
    await sleep(3_300);
    expect(await acquire('a', 0, 1_000)).toMatchObject({ owner: 'a' });
  });
});
