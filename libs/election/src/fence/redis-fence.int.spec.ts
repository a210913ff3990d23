import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeRedis, commandSettings, openRedis } from '../backends/redis/connection/redis-connection.js';
import { FencedError, UnreadableFenceError } from './fenced.error.js';
import { RedisFence } from './redis-fence.js';

const servers = [
  ['Redis 7', process.env.REDIS_URL],
  ['Redis 8', process.env.REDIS8_URL],
].filter((server): server is [string, string] => server[1] !== undefined);

describe.each(servers)('RedisFence on %s', (_name, url) => {
  let redis: Redis;
  let prefix: string;
  let fence: RedisFence;

  beforeAll(async () => {
    redis = openRedis(url, commandSettings);
    await once(redis, 'ready');
  });
  beforeEach(() => {
    prefix = `{${randomUUID()}}`;
    fence = new RedisFence(redis, `${prefix}:fence`);
  });
  afterAll(() => closeRedis(redis));

  it('runs any commands in order and returns their replies', async () => {
    const replies = await fence.write(1_700_000_000_001, [
      ['SET', `${prefix}:a`, 'x', 'PX', 60_000],
      ['INCRBY', `${prefix}:n`, 2],
      ['INCRBY', `${prefix}:n`, 3],
      ['RPUSH', `${prefix}:list`, 'b', Buffer.from('c')],
      ['DEL', `${prefix}:a`],
    ]);
    expect(replies).toEqual(['OK', 2, 5, 2, 1]);
    expect(await redis.lrange(`${prefix}:list`, 0, -1)).toEqual(['b', 'c']);
    expect(await redis.get(`${prefix}:fence`)).toBe('1700000000001');
  });

  it('refuses a term that was superseded, all of the batch', async () => {
    await fence.write(1_700_000_000_001, [['SET', `${prefix}:a`, 'old']]);
    await fence.raise(1_700_000_000_002);
    const late = fence.write(1_700_000_000_001, [
      ['SET', `${prefix}:a`, 'late'],
      ['SET', `${prefix}:b`, 'late'],
    ]);
    await expect(late).rejects.toThrow(FencedError);
    await expect(fence.raise(1_700_000_000_001)).rejects.toMatchObject({
      code: 'FENCED',
      term: 1_700_000_000_001,
      fence: 1_700_000_000_002,
    });
    expect(await redis.mget(`${prefix}:a`, `${prefix}:b`)).toEqual(['old', null]);
  });

  it.each(['', 'garbage', 'nan', 'inf', '0x10', '-1', '1.5', '9007199254740992', ' 7', '{"term":7}'])(
    'writes nothing while it holds %j instead of a term, and names the repair',
    async (value) => {
      await redis.set(`${prefix}:fence`, value);
      const writing = fence.write(7, [['SET', `${prefix}:a`, 'x']]);
      await expect(writing).rejects.toThrow(UnreadableFenceError);
      await expect(writing).rejects.toThrow(`SET ${prefix}:fence 7`);
      expect(await redis.mget(`${prefix}:a`, `${prefix}:fence`)).toEqual([null, value]);
    },
  );

  it('writes nothing while its key has another type', async () => {
    await redis.rpush(`${prefix}:fence`, '7');
    await expect(fence.raise(7)).rejects.toMatchObject({ code: 'FENCE_UNREADABLE', key: `${prefix}:fence` });
    expect(await redis.type(`${prefix}:fence`)).toBe('list');
  });

  it('raises itself with the first write of a later term', async () => {
    await fence.write(2, [['SET', `${prefix}:a`, 'new']]);
    await expect(fence.raise(1)).rejects.toThrow(FencedError);
    await fence.raise(2);
  });

  it('accepts no write of an earlier term after one of a later term, in any order of arrival', async () => {
    const log = `${prefix}:log`;
    const other = openRedis(url, { ...commandSettings, enableOfflineQueue: true });
    const writers = [fence, new RedisFence(other, `${prefix}:fence`)];
    await Promise.allSettled(
      Array.from({ length: 400 }, (_, i) => {
        const term = 1 + Math.floor(i / 100) + Math.floor(Math.random() * 3);
        return writers[i % 2]!.write(term, [['RPUSH', log, term]]);
      }),
    );
    closeRedis(other);
    const terms = (await redis.lrange(log, 0, -1)).map(Number);
    expect(new Set(terms).size).toBeGreaterThan(2);
    expect(terms).toEqual([...terms].sort((a, b) => a - b));
  });

  it.each([Number.NaN, 0, -1, 1.5, 2 ** 53])('refuses the term %p before it is sent', async (term) => {
    await expect(fence.raise(term)).rejects.toThrow(/^term must be a positive whole number/);
    expect(await redis.exists(`${prefix}:fence`)).toBe(0);
  });

  it('requires a name', () => {
    expect(() => new RedisFence(redis, '')).toThrow(/key must not be empty/);
  });
});
