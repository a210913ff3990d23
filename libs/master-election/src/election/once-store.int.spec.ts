import { randomUUID } from 'node:crypto';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pretendInfo } from '../../../election/src/test-support/pretend-info.js';
import { eventually } from '@detector-cluster/election/testing';
import type { NewLeaseClaim } from '@detector-cluster/election/lease';
import { OnceStore } from './once-store.js';

const TTL = 5_000;
/** Claims of this length expire soon. */
const BRIEF = 1_000;

const claimOf = (owner: string) => ({ owner, candidateId: owner, ttl: TTL });

describe('OnceStore', () => {
  let redis: Redis;
  let lockName: string;
  let record: string;
  let stores: Map<string, OnceStore>;

  beforeEach(() => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    lockName = `{store-${randomUUID()}}`;
    record = `${lockName}:once:work`;
    stores = new Map();
  });
  afterEach(async () => {
    await redis.del(record);
    closeRedis(redis);
  });

  const storeOf = (owner: string): OnceStore => {
    const store = stores.get(owner) ?? new OnceStore(redis, lockName, 'work');
    stores.set(owner, store);
    return store;
  };
  const acquire = (owner: string, claim: Partial<NewLeaseClaim> = {}) =>
    storeOf(owner).acquire({
      owner,
      candidateId: owner,
      ttl: TTL,
      floor: 0,
      floorTtl: 0,
      claimedFor: 0,
      ...claim,
    });
  const renew = (owner: string) => storeOf(owner).renew(claimOf(owner));

  /** Claims, and retries while a server that has just started refuses. */
  const claim = async (owner: string, ttl = TTL) => {
    const granted = await eventually('a claim', 10_000, () =>
      acquire(owner, { ttl }).catch((): undefined => undefined),
    );
    expect(granted.owner).toBe(owner);
    return granted.term;
  };

  it('grants the work to one owner, and after its release to another in a later term', async () => {
    const term = await claim('a');
    expect(await acquire('a')).toMatchObject({ owner: 'a', term });
    expect(await acquire('b')).toMatchObject({ owner: 'a', term, ttl: TTL });
    await storeOf('b').release(claimOf('b'));
    expect(await acquire('b')).toMatchObject({ owner: 'a' });
    await storeOf('a').release(claimOf('a'));
    expect(await renew('a')).toMatchObject({ owner: null, term, remaining: 0, ttl: 0 });
    expect(await claim('b')).toBeGreaterThan(term);
  });

  it('grants the work again when the lease of its owner expires', async () => {
    const term = await claim('a', BRIEF);
    await eventually('expired', 10_000, async () => (await acquire('b')).owner === 'b');
    expect(await renew('a')).toMatchObject({ owner: 'b' });
    expect(await storeOf('a').complete(term)).toBe(false);
  });

  it('grants a repeated claim in the same term only if a restart cannot have lost a successor', async () => {
    const term = await claim('a');
    pretendInfo(redis, () => 'uptime_in_seconds:20\r\n');
    expect(await acquire('a', { claimedFor: 10_000 })).toMatchObject({ owner: 'a', term });
    const again = await acquire('a', { claimedFor: 30_000 });
    expect(again.owner).toBe('a');
    expect(again.term).toBeGreaterThan(term);
    pretendInfo(redis, () => 'uptime_in_seconds:1\r\n');
    await expect(acquire('a', { claimedFor: 30_000 })).rejects.toMatchObject({ name: 'StoreRestartedError' });
  });

  it('does not grant the work while a process may run it under a longer lease, which the server has lost', async () => {
    const LONG = 300_000;
    await eventually('connected', 5_000, () => redis.status === 'ready');
    pretendInfo(redis, () => 'uptime_in_seconds:1000\r\n');
    const { term: floor } = await acquire('a', { ttl: LONG });
    expect(await acquire('b')).toMatchObject({ owner: 'a', ttl: LONG });
    await redis.del(record);
    pretendInfo(redis, () => 'uptime_in_seconds:60\r\n');
    const restarted = { name: 'StoreRestartedError', retryIn: LONG + 1_000 - 60_000 };
    await expect(acquire('b', { floor, floorTtl: LONG })).rejects.toMatchObject(restarted);
    // Nor to a process that has not seen it.
    await expect(acquire('c', { ttl: BRIEF })).rejects.toMatchObject(restarted);
    pretendInfo(redis, () => 'uptime_in_seconds:301\r\n');
    const next = await acquire('c', { ttl: BRIEF, floor });
    expect(next.owner).toBe('c');
    expect(next.term).toBeGreaterThan(floor);
    await storeOf('c').release(claimOf('c'));
    pretendInfo(redis, () => 'uptime_in_seconds:60\r\n');
    expect(await acquire('b', { floor, floorTtl: LONG })).toMatchObject({ owner: 'b' });
  });

  it('grants the work after the clock of the server is set back past its start', async () => {
    await eventually('connected', 5_000, () => redis.status === 'ready');
    pretendInfo(redis, () => 'uptime_in_seconds:-3600\r\nrun_id:one\r\n');
    await expect(acquire('a', { ttl: BRIEF })).rejects.toMatchObject({ name: 'StoreRestartedError' });
    await sleep(2_200);
    expect(await acquire('a', { ttl: BRIEF })).toMatchObject({ owner: 'a' });
  });

  it('records the completion by the owner in its term, even when repeated', async () => {
    const term = await claim('a');
    expect(await storeOf('b').complete(term)).toBe(false);
    expect(await storeOf('a').complete(term - 1)).toBe(false);
    expect(await acquire('b')).toMatchObject({ owner: 'a' });
    expect(await storeOf('a').complete(term)).toBe(true);
    expect(await storeOf('a').complete(term)).toBe(true);
    expect(await storeOf('b').complete(term + 1)).toBe(false);
    for (const call of [acquire, renew]) {
      const { owner } = await call('c');
      expect(owner).toBe('done');
      expect(await storeOf('c').done).toBe('done');
    }
  });

  it('does not record the completion of released work', async () => {
    const term = await claim('a');
    await storeOf('a').release(claimOf('a'));
    expect(await storeOf('a').complete(term)).toBe(false);
  });
});
