import { randomUUID } from 'node:crypto';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { OnceStore, type OnceClaim } from './once-store.js';

describe('OnceStore', () => {
  let redis: Redis;
  let store: OnceStore;
  let record: string;

  beforeEach(() => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    const lockName = `{store-${randomUUID()}}`;
    record = `${lockName}:once:work`;
    store = new OnceStore(redis, lockName, 'work', 1_000);
  });
  afterEach(async () => {
    await redis.del(record);
    closeRedis(redis);
  });

  /** Claims; a server that was just started refuses for a while. */
  const claim = async (owner: string) => {
    const granted = await eventually('a claim', 10_000, () =>
      store.claim(owner, false).catch((): undefined => undefined),
    );
    return (granted as Extract<OnceClaim, { state: 'held' }>).term;
  };

  it('grants the work to one, and to another when that has given it back, in a later term', async () => {
    const term = await claim('a');
    expect(await store.claim('a', false)).toEqual({ state: 'held', term });
    expect(await store.claim('b', false)).toMatchObject({ state: 'taken', term });
    await store.release('b');
    expect(await store.claim('b', false)).toMatchObject({ state: 'taken' });
    await store.release('a');
    expect(await store.claim('a', true)).toEqual({ state: 'taken', term, left: 0 });
    expect(await claim('b')).toBeGreaterThan(term);
  });

  it('grants the work of an owner that is silent for the length of its lease', async () => {
    const term = await claim('a');
    await eventually('expired', 10_000, async () => (await store.claim('b', false)).state === 'held');
    expect(await store.claim('a', true)).toMatchObject({ state: 'taken' });
    expect(await store.complete('a', term)).toBe(false);
  });

  it('records the completion by the owner in its term, also when asked twice', async () => {
    const term = await claim('a');
    expect(await store.complete('b', term)).toBe(false);
    expect(await store.complete('a', term - 1)).toBe(false);
    expect(await store.claim('b', false)).toMatchObject({ state: 'taken' });
    expect(await store.complete('a', term)).toBe(true);
    expect(await store.complete('a', term)).toBe(true);
    expect(await store.complete('b', term + 1)).toBe(false);
    expect(await store.claim('b', false)).toEqual({ state: 'done' });
    expect(await store.claim('a', true)).toEqual({ state: 'done' });
  });

  it('does not record the completion of work that was given back', async () => {
    const term = await claim('a');
    await store.release('a');
    expect(await store.complete('a', term)).toBe(false);
  });
});
