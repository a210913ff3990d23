import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { FollowedHash } from './cluster-reader.js';

describe('a hash that is followed', () => {
  let redis: Redis;
  let key: string;
  let looked: string[];
  let hash: FollowedHash<string>;

  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    key = randomPrefix();
    looked = [];
    hash = new FollowedHash(key, (field, text) => {
      looked.push(field);
      return text === 'unreadable' ? null : text.toUpperCase();
    });
  });

  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
  const step = fc.record({ name, text: fc.constantFrom(null, 'x', 'y', 'unreadable') });

  it('has the present rows, and parses only changed fields', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 4 }), async (rounds) => {
        await redis.del(key);
        await hash.read(redis);
        let known = new Map<string, string>();
        for (const steps of rounds) {
          for (const { name, text } of steps)
            if (text === null) await redis.hdel(key, name);
            else await redis.hset(key, name, text);
          const now = new Map(Object.entries(await redis.hgetall(key)));
          const before = hash.rows;
          looked = [];
          const changed = await hash.read(redis);
          const different = [...now].filter(([field, text]) => known.get(field) !== text);
          expect(looked.sort()).toEqual(different.map(([field]) => field).sort());
          expect(changed).toBe(different.length > 0 || now.size !== known.size);
          expect(hash.rows === before).toBe(!changed);
          expect(new Map(Object.entries(hash.rows))).toEqual(
            new Map(
              [...now].flatMap(([field, text]) =>
                text === 'unreadable' ? [] : [[field, text.toUpperCase()] as const],
              ),
            ),
          );
          expect(hash.size).toBe(now.size);
          known = now;
        }
      }),
      { numRuns: 40 },
    );
    await redis.del(key);
  });

  it('reads thousands, page by page', async () => {
    const fields = Object.fromEntries(Array.from({ length: 7_000 }, (_, i) => [`f${i}`, `t${i}`]));
    await redis.hset(key, fields);
    expect(await hash.read(redis)).toBe(true);
    expect(hash.size).toBe(7_000);
    looked = [];
    await redis.hset(key, 'f6999', 'new');
    await hash.read(redis);
    expect(looked).toEqual(['f6999']);
    await redis.del(key);
    await hash.read(redis);
    expect(Object.keys(hash.rows)).toEqual([]);
  });

  it('stays as it is when Redis fails', async () => {
    await redis.hset(key, 'a', 'x');
    await hash.read(redis);
    const { rows } = hash;
    await redis.del(key);
    await redis.set(key, 'no hash');
    await expect(hash.read(redis)).rejects.toThrow('WRONGTYPE');
    expect(hash.rows).toBe(rows);
    await redis.del(key);
  });
});
