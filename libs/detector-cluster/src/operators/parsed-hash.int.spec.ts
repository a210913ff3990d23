import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { ParsedHash } from './parsed-hash.js';

describe('ParsedHash', () => {
  let redis: Redis;
  let key: string;
  let looked: string[];
  let hash: ParsedHash<string>;

  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    key = randomPrefix();
    looked = [];
    hash = new ParsedHash(redis, key, (text, field) => {
      looked.push(field);
      return text === 'unreadable' ? null : text.toUpperCase();
    });
  });

  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
  const step = fc.record({ name, text: fc.constantFrom(null, 'x', 'y', 'unreadable') });

  it('has the present values, and parses only changed fields', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 4 }), async (rounds) => {
        await redis.del(key);
        await hash.read();
        let known = new Map<string, string>();
        for (const steps of rounds) {
          for (const { name, text } of steps)
            if (text === null) await redis.hdel(key, name);
            else await redis.hset(key, name, text);
          const now = new Map(Object.entries(await redis.hgetall(key)));
          const before = hash.values;
          looked = [];
          const changed = (await hash.read()) !== before;
          const different = [...now].filter(([field, text]) => known.get(field) !== text);
          expect(looked.sort()).toEqual(different.map(([field]) => field).sort());
          expect(changed).toBe(different.length > 0 || now.size !== known.size);
          expect(hash.values).toEqual(
            new Map(
              [...now].flatMap(([field, text]) =>
                text === 'unreadable' ? [] : [[field, text.toUpperCase()] as const],
              ),
            ),
          );
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
    expect((await hash.read()).size).toBe(7_000);
    looked = [];
    await redis.hset(key, 'f6999', 'new');
    await hash.read();
    expect(looked).toEqual(['f6999']);
    await redis.del(key);
    expect((await hash.read()).size).toBe(0);
  });

  it('stays as it is when Redis fails', async () => {
    await redis.hset(key, 'a', 'x');
    await hash.read();
    const { values } = hash;
    await redis.del(key);
    await redis.set(key, 'no hash');
    await expect(hash.read()).rejects.toThrow('WRONGTYPE');
    expect(hash.values).toBe(values);
    await redis.del(key);
  });

  it('is read only when its revision has changed, or when there is none', async () => {
    const revisionKey = `${key}:revision`;
    hash = new ParsedHash(redis, key, (text) => text, revisionKey);
    const read = async () => {
      const reading = vi.spyOn(redis, 'hscan');
      const before = hash.values;
      const changed = (await hash.read()) !== before;
      const scanned = reading.mock.calls.length > 0;
      reading.mockRestore();
      return { changed, scanned };
    };
    const write = (text: string, revision: string) =>
      redis.multi().hset(key, 'a', text).set(revisionKey, revision).exec();
    await write('x', '1');
    expect(await read()).toEqual({ changed: true, scanned: true });
    expect(await read()).toEqual({ changed: false, scanned: false });
    await write('y', '2');
    expect(await read()).toEqual({ changed: true, scanned: true });
    expect(Object.fromEntries(hash.values)).toEqual({ a: 'y' });
    // Redis has lost the revision, or the master is older than it.
    await redis.del(revisionKey);
    await redis.hset(key, 'a', 'z');
    expect(await read()).toEqual({ changed: true, scanned: true });
    expect(await read()).toEqual({ changed: false, scanned: true });
    await redis.del(key);
  });

  it('is read again when it failed, or when it changed while it was read', async () => {
    const revisionKey = `${key}:revision`;
    hash = new ParsedHash(redis, key, (text) => text, revisionKey);
    const write = (text: string, revision: string) =>
      redis.multi().hset(key, 'a', text).set(revisionKey, revision).exec();
    await write('x', '1');
    const scan = redis.hscan.bind(redis) as (...args: unknown[]) => Promise<[string, string[]]>;
    const scanning = vi.spyOn(redis, 'hscan') as unknown as MockInstance<typeof scan>;
    scanning.mockRejectedValueOnce(new Error('the connection broke'));
    await expect(hash.read()).rejects.toThrow('broke');
    scanning.mockImplementationOnce(async (...args) => {
      const page = await scan(...args);
      await write('y', '2');
      return page;
    });
    await hash.read();
    expect(Object.fromEntries(hash.values)).toEqual({ a: 'x' });
    await hash.read();
    expect(Object.fromEntries(hash.values)).toEqual({ a: 'y' });
    scanning.mockRestore();
    await redis.del(key, revisionKey);
  });
});
