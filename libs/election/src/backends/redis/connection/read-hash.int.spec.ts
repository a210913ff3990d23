import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { hashPages, readHash } from './read-hash.js';
import { closeRedis, commandSettings, openRedis } from './redis-connection.js';

describe('readHash', () => {
  const redis = openRedis(process.env.REDIS_URL!, { ...commandSettings, enableOfflineQueue: true });
  const keys: string[] = [];
  const keyOf = async (fields: Record<string, string>) => {
    const key = `test-${randomUUID()}`;
    keys.push(key);
    const entries = Object.entries(fields).flat();
    for (let i = 0; i < entries.length; i += 5_000) await redis.hset(key, ...entries.slice(i, i + 5_000));
    return key;
  };
  afterAll(async () => {
    if (keys.length > 0) await redis.del(...keys);
    closeRedis(redis);
  });

  it.each([0, 1, 600, 25_000])('reads all of %i fields', async (count) => {
    const fields = Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, `v${i}`]));
    expect(await readHash(redis, await keyOf(fields))).toEqual(new Map(Object.entries(fields)));
  });

  it('finds names of prototypes, and every field that stays, while others come and go', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`stays-${i}`, 'x']));
    const key = await keyOf(fields);
    await redis.hset(key, '__proto__', 'here');
    const read = new AbortController();
    const churn = (async () => {
      for (let i = 0; !read.signal.aborted; i++) {
        await redis.hset(key, `comes-${i}`, 'y');
        await redis.hdel(key, `comes-${i - 50}`);
      }
    })();
    const found = await readHash(redis, key);
    read.abort();
    await churn;
    expect(found.get('__proto__')).toBe('here');
    expect([...found.keys()].filter((field) => field.startsWith('stays-'))).toHaveLength(20_000);
  });

  it('does not mind a server that fails after the caller has had enough', async () => {
    const replies = [Promise.resolve(['1', ['f', 'v']]), Promise.reject(new Error('gone'))];
    const failing = { hscan: () => replies.shift() } as unknown as Parameters<typeof hashPages>[0];
    for await (const page of hashPages(failing, 'any')) {
      expect(page).toEqual([['f', 'v']]);
      break;
    }
    // An unhandled rejection would fail the test.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
