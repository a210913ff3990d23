import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CampaignMemory } from '../../../lease/campaign-memory.js';
import type { ElectionState } from '../../../contract/election-backend.js';
import { systemClock } from '../../../util/clock.js';
import { validityOf } from '../../../util/clock.js';
import { Condition } from '../../../util/condition.js';
import { untilElectable } from '../../../test-support/until-electable.js';
import { electionKeys, type ElectionKeys } from '../election-keys.js';
import type { LeaseReply } from '../lease/lease-store.js';
import { RedisLeaseStore } from '../lease/redis-lease-store.js';
import { RedisCampaign } from './redis-campaign.js';
import { resolveRedisElectionOptions } from '../redis-election-options.js';

/** A lease outlasts a standstill of the process of three seconds. */
const TIMING = { lockTtl: 5_000, heartbeatInterval: 2_400, checkInterval: 300 };

/** A store whose calls are applied while the next replies get lost. */
class LossyStore extends RedisLeaseStore {
  lose = 0;
  delay = 0;

  override acquire(...args: Parameters<RedisLeaseStore['acquire']>): Promise<LeaseReply> {
    return this.maybe(super.acquire(...args));
  }

  override confirm(...args: Parameters<RedisLeaseStore['confirm']>): Promise<LeaseReply> {
    return this.maybe(super.confirm(...args));
  }

  private async maybe(call: Promise<LeaseReply>): Promise<LeaseReply> {
    const reply = await call;
    await sleep(this.delay);
    if (this.lose-- > 0) throw new Error('reply lost');
    return reply;
  }
}

describe('RedisCampaign when replies get lost', () => {
  let redis: Redis;
  let keys: ElectionKeys;
  let store: LossyStore;
  let abort: AbortController;
  let campaign: RedisCampaign;
  let states: AsyncGenerator<ElectionState>;

  beforeAll(() => untilElectable(process.env.REDIS_URL!, TIMING.lockTtl), 30_000);
  beforeEach(() => {
    redis = new Redis(process.env.REDIS_URL!);
    keys = electionKeys(`{campaign-${randomUUID()}}`);
    store = new LossyStore(redis, keys, {
      lockTtl: TIMING.lockTtl,
      validity: { presence: 400, lease: validityOf(TIMING.lockTtl) },
      commandTimeout: 1_000,
      count: '',
    });
    abort = new AbortController();
    const options = resolveRedisElectionOptions({ redis: process.env.REDIS_URL!, ...TIMING });
    campaign = new RedisCampaign({
      store,
      options,
      candidate: { id: 'me' },
      memory: new CampaignMemory('boot'),
      signal: abort.signal,
      condition: new Condition(systemClock),
      presence: undefined,
    });
    states = campaign.states();
  });
  afterEach(async () => {
    abort.abort();
    await states.return(undefined);
    await redis.del(Object.values(keys));
    redis.disconnect();
  });

  const next = async () => {
    const { value } = await states.next();
    return value as ElectionState;
  };

  it('takes the term that it was granted without knowing', async () => {
    store.lose = 2;
    expect(await next()).toMatchObject({ role: 'error' });
    const term = await redis.get(keys.term);
    expect(await next()).toMatchObject({ role: 'error' });
    expect(await next()).toMatchObject({ role: 'leader', term: Number(term), reason: 'vacant' });
  });

  it('counts validity from the sending of the call that was answered', async () => {
    store.delay = 300;
    const before = performance.now();
    for (const state of [await next(), await next()]) {
      if (state.role !== 'leader') throw new Error(`not leader but ${state.role}`);
      expect(state.leaseUntil - state.validUntil).toBeGreaterThan(TIMING.lockTtl * 0.0198);
      expect(performance.now() - (state.leaseUntil - TIMING.lockTtl)).toBeGreaterThanOrEqual(295);
      expect(state.leaseUntil - TIMING.lockTtl).toBeGreaterThanOrEqual(before - 2);
    }
  });

  it('renews again quickly while the lease lasts', async () => {
    const first = await next();
    store.lose = 2;
    campaign.lookAgain();
    expect(await next()).toMatchObject({ role: 'error' });
    expect(await next()).toMatchObject({ role: 'error' });
    const renewed = await next();
    if (first.role !== 'leader' || renewed.role !== 'leader') throw new Error('not leader');
    expect(renewed.term).toBe(first.term);
    expect(renewed.leaseUntil - first.leaseUntil).toBeLessThan(TIMING.heartbeatInterval);
  });

  it('releases a lease that it may have been granted when it ends', async () => {
    store.lose = 1;
    expect(await next()).toMatchObject({ role: 'error' });
    expect(await redis.exists(keys.lease)).toBe(1);
    abort.abort();
    await states.return(undefined);
    expect(await redis.exists(keys.lease)).toBe(0);
  });

  it('replaces the record of its own ended claim, and does not follow itself', async () => {
    const ended = 1_000;
    await redis.hset(keys.lease, { owner: 'me:boot:0', term: ended, seq: 1, mode: 'lease' });
    await redis.pexpire(keys.lease, 60_000);
    expect(await next()).toMatchObject({ role: 'leader' });
    expect(await redis.hget(keys.lease, 'owner')).toMatch(/^me:boot:[1-9]/);
    expect(Number(await redis.hget(keys.lease, 'term'))).toBeGreaterThan(ended);
  });

  it('gives up its name when no renewal was answered in time', async () => {
    const first = await next();
    store.lose = Infinity;
    const seen: ElectionState[] = [];
    while (seen.length < 100 && seen.at(-1)?.role !== 'follower') seen.push(await next());
    expect(seen.at(-1)?.role).toBe('follower');
    expect(seen.filter(({ role }) => role === 'error').length).toBeGreaterThan(1);
    store.lose = 0;
    const again = await next();
    if (first.role !== 'leader' || again.role !== 'leader') throw new Error('not leader');
    expect(again.term).toBeGreaterThan(first.term);
  });
});
