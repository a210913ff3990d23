import { randomUUID } from 'node:crypto';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pretendInfo } from '../../../election/src/test-support/pretend-info.js';
import { eventually } from '@detector-cluster/election/testing';
import { OnceStore, type OnceClaim } from './once-store.js';

describe('OnceStore', () => {
  let redis: Redis;
  let store: OnceStore;
  /** Its claims expire soon. */
  let brief: OnceStore;
  let record: string;

  beforeEach(() => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    const lockName = `{store-${randomUUID()}}`;
    record = `${lockName}:once:work`;
    store = new OnceStore(redis, lockName, 'work', 5_000);
    brief = new OnceStore(redis, lockName, 'work', 1_000);
  });
  afterEach(async () => {
    await redis.del(record);
    closeRedis(redis);
  });

  /** Claims, and retries while a server that has just started refuses. */
  const claim = async (owner: string, from = store) => {
    const granted = await eventually('a claim', 10_000, () =>
      from.claim(owner, false).catch((): undefined => undefined),
    );
    return (granted as Extract<OnceClaim, { state: 'held' }>).term;
  };

  it('grants the work to one owner, and after its release to another in a later term', async () => {
    const term = await claim('a');
    expect(await store.claim('a', false)).toEqual({ state: 'held', term });
    expect(await store.claim('b', false)).toMatchObject({ state: 'taken', term });
    await store.release('b');
    expect(await store.claim('b', false)).toMatchObject({ state: 'taken' });
    await store.release('a');
    expect(await store.claim('a', true)).toEqual({ state: 'taken', term, left: 0 });
    expect(await claim('b')).toBeGreaterThan(term);
  });

  it('grants the work again when the lease of its owner expires', async () => {
    const term = await claim('a', brief);
    await eventually('expired', 10_000, async () => (await store.claim('b', false)).state === 'held');
    expect(await store.claim('a', true)).toMatchObject({ state: 'taken' });
    expect(await store.complete('a', term)).toBe(false);
  });

  it('grants a repeated claim in the same term only if a restart cannot have lost a successor', async () => {
    const term = await claim('a');
    pretendInfo(redis, () => 'uptime_in_seconds:20\r\n');
    expect(await store.claim('a', false, 10_000)).toEqual({ state: 'held', term });
    const again = await store.claim('a', false, 30_000);
    expect(again.state === 'held' && again.term).toBeGreaterThan(term);
    pretendInfo(redis, () => 'uptime_in_seconds:1\r\n');
    await expect(store.claim('a', false, 30_000)).rejects.toMatchObject({ name: 'StoreRestartedError' });
  });

  it('does not grant the work while a process may run it under a longer lease, which the server has lost', async () => {
    const LONG = 300_000;
    const long = new OnceStore(redis, record.replace(':once:work', ''), 'work', LONG);
    await eventually('connected', 5_000, () => redis.status === 'ready');
    pretendInfo(redis, () => 'uptime_in_seconds:1000\r\n');
    expect(await long.claim('a', false)).toMatchObject({ state: 'held' });
    expect(await store.claim('b', false)).toMatchObject({ state: 'taken' });
    await redis.del(record);
    pretendInfo(redis, () => 'uptime_in_seconds:60\r\n');
    const restarted = { name: 'StoreRestartedError', retryIn: LONG + 1_000 - 60_000 };
    await expect(store.claim('b', false)).rejects.toMatchObject(restarted);
    // Nor to a process that has not seen it.
    await expect(brief.claim('c', false)).rejects.toMatchObject(restarted);
    pretendInfo(redis, () => 'uptime_in_seconds:301\r\n');
    expect(await brief.claim('c', false)).toMatchObject({ state: 'held' });
    await brief.release('c');
    pretendInfo(redis, () => 'uptime_in_seconds:60\r\n');
    expect(await store.claim('b', false)).toMatchObject({ state: 'held' });
  });

  it('grants the work after the clock of the server is set back past its start', async () => {
    await eventually('connected', 5_000, () => redis.status === 'ready');
    pretendInfo(redis, () => 'uptime_in_seconds:-3600\r\nrun_id:one\r\n');
    await expect(brief.claim('a', false)).rejects.toMatchObject({ name: 'StoreRestartedError' });
    await sleep(2_200);
    expect(await brief.claim('a', false)).toMatchObject({ state: 'held' });
  });

  it('records the completion by the owner in its term, even when repeated', async () => {
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

  it('does not record the completion of released work', async () => {
    const term = await claim('a');
    await store.release('a');
    expect(await store.complete('a', term)).toBe(false);
  });
});
