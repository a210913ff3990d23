import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeRedis } from '../backends/redis/index.js';
import { FencedError, UnreadableFenceError } from './fenced.error.js';
import { FencedStore } from './fenced-store.js';
import type { GuardedCommand } from './redis-fence.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

describe('FencedStore', () => {
  let redis: Redis;
  let fence: string;
  let hash: string;

  beforeAll(async () => {
    redis = openPatientRedis(process.env.REDIS_URL!);
    await once(redis, 'ready');
  });
  beforeEach(() => {
    const prefix = `{${randomUUID()}}:`;
    fence = `${prefix}fence`;
    hash = `${prefix}hash`;
  });
  afterAll(() => closeRedis(redis));

  it('writes, removes and deletes under the current term', async () => {
    const store = new FencedStore(redis, fence, 1_700_000_000_001);
    await store.write([
      ['HSET', hash, 'a', '1'],
      ['HSET', hash, 'b', '2'],
      ['HDEL', hash, 'a'],
    ]);
    expect(await redis.hgetall(hash)).toEqual({ b: '2' });
    expect(await redis.get(fence)).toBe('1700000000001');
    await store.write([['DEL', hash]]);
    expect(await redis.exists(hash)).toBe(0);
  });

  it('refuses every write of a deposed master, and leaves nothing of it behind', async () => {
    const deposed = new FencedStore(redis, fence, 1_700_000_000_001);
    const successor = new FencedStore(redis, fence, 1_700_000_000_002);
    await deposed.write([['HSET', hash, 'a', 'old']]);
    await successor.raise();
    await expect(deposed.write([['HSET', hash, 'a', 'late']])).rejects.toThrow(FencedError);
    await expect(deposed.raise()).rejects.toMatchObject({
      term: 1_700_000_000_001,
      fence: 1_700_000_000_002,
    });
    expect(await redis.hget(hash, 'a')).toBe('old');
    expect(await redis.get(fence)).toBe('1700000000002');
  });

  const storeOf = (term: number, leads = true) => {
    const lines: string[] = [];
    const hooks = {
      onRefused: () => undefined,
      onForeign: (message: string) => void lines.push(message),
      mayRepair: () => leads,
      masterKey: `${fence}:master`,
    };
    return { store: new FencedStore(redis, fence, term, hooks), lines };
  };

  describe('whose fence holds no term', () => {
    it.each([() => redis.set(fence, 'garbage'), () => redis.rpush(fence, 'x')])(
      'raises it to the term of the master that leads, and says so',
      async (damage) => {
        await damage();
        const { lines, store } = storeOf(5);
        await store.write([['HSET', hash, 'a', '1']]);
        expect(await redis.get(fence)).toBe('5');
        expect(lines).toEqual([expect.stringContaining(fence)]);
      },
    );

    it('never lowers it below a term that has begun', async () => {
      await redis.set(fence, 'garbage');
      await redis.set(`${fence}:master`, JSON.stringify({ processId: 'next', term: 6 }));
      await expect(storeOf(5).store.write([['HSET', hash, 'a', 'late']])).rejects.toThrow(FencedError);
      expect(await redis.get(fence)).toBe('6');
      expect(await redis.exists(hash)).toBe(0);
    });

    it('leaves it as it is if the process does not lead', async () => {
      await redis.set(fence, 'garbage');
      await expect(storeOf(5, false).store.raise()).rejects.toThrow(UnreadableFenceError);
      expect(await redis.get(fence)).toBe('garbage');
    });
  });

  it('cuts large writes into batches', async () => {
    const store = new FencedStore(redis, fence, 5);
    await store.write(
      Array.from({ length: 2_500 }, (_, i): GuardedCommand => ['HSET', hash, `f${i}`, `${i}`]),
    );
    expect(await redis.hlen(hash)).toBe(2_500);
  });
});
