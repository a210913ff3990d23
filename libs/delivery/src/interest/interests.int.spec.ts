import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@detector-cluster/election';
import { closeRedis, SharedSubscriber } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../../../test/support/until.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { deliveryKeys, type DeliveryKeys } from '../log/delivery-keys.js';
import { InterestIndex, type InterestHooks } from './interest-index.js';
import { RedisInterestStore } from './redis-interest-store.js';
import type { InterestContext } from './interest-context.js';
import { InterestRegistry } from './interest-registry.js';

describe('interests', () => {
  let redis: Redis;
  let keys: DeliveryKeys;
  const closing: (() => unknown)[] = [];

  beforeEach(() => {
    redis = openPatientRedis(process.env.REDIS_URL!);
    keys = deliveryKeys(`{test-${randomUUID()}}:`);
  });
  afterEach(() => {
    for (const close of closing.splice(0)) close();
    closeRedis(redis);
  });

  function indexWith(
    {
      readMembers = () => Promise.resolve(),
      ...hooks
    }: Partial<InterestHooks & Pick<InterestContext, 'readMembers'>>,
    store = new RedisInterestStore(redis, new FencedStore(redis, keys.fence, 1), keys),
  ) {
    const context: Partial<InterestContext> = {
      signal: new AbortController().signal,
      clock: systemClock,
      onEvent: () => undefined,
      deposed: () => undefined,
      readMembers,
    };
    return new InterestIndex(context as InterestContext, store, {
      isMember: () => true,
      onGlobalChanged: () => undefined,
      ...hooks,
    });
  }

  const write = (processId: string, version: number, subscriptions: readonly string[]) =>
    redis.hset(keys.interests, processId, JSON.stringify({ version, global: false, subscriptions }));

  it('are announced until a master confirms them, also after the caller has stopped waiting', async () => {
    const warnings: string[] = [];
    const hints: string[] = [];
    const subscriber = openPatientRedis(process.env.REDIS_URL!);
    closing.push(() => closeRedis(subscriber));
    subscriber.on('message', (_channel, text: string) => hints.push(text));
    await subscriber.subscribe(keys.interestsChanged);
    const registry = new InterestRegistry({
      redis,
      keys,
      processId: 'p',
      listeners: { hasGlobal: true, subscriptions: () => ['d;c'] },
      onWarning: (warning) => warnings.push(warning),
      timeout: 100,
      refreshInterval: 3_600_000,
    });
    closing.push(() => registry.close());
    await registry.announce();
    expect(warnings).toEqual([
      expect.stringMatching(/^the master has not confirmed this process's listeners/),
    ]);
    const before = hints.length;
    await until(() => hints.length > before + 2);
    await redis.hset(keys.interestsSeen, 'p', '1');
    await until(async () => {
      const { length } = hints;
      await sleep(600);
      return hints.length === length;
    });
    expect(JSON.parse((await redis.hget(keys.interests, 'p'))!)).toEqual({
      version: 1,
      global: true,
      subscriptions: ['d;c'],
    });
  });

  it('are announced as soon as they are stored while no master is known', async () => {
    const warnings: string[] = [];
    const subscriptions: string[] = [];
    const registry = new InterestRegistry({
      redis,
      keys,
      processId: 'p',
      listeners: { hasGlobal: false, subscriptions: () => subscriptions },
      hasMaster: () => false,
      onWarning: (warning) => warnings.push(warning),
      timeout: 20_000,
    });
    closing.push(() => registry.close());
    const writes = vi.spyOn(redis, 'hset');
    for (const [index, subscription] of ['a;c', 'b;c'].entries()) {
      subscriptions.push(subscription);
      await registry.announce();
      expect(writes).toHaveBeenCalledTimes(index + 1);
      expect(JSON.parse((await redis.hget(keys.interests, 'p'))!)).toMatchObject({ subscriptions });
    }
    expect(warnings).toEqual([]);
  });

  it('are not missed if they are written while a master reads them for the first time', async () => {
    class LateStore extends RedisInterestStore {
      override async read() {
        const interests = await super.read();
        if (interests.records.size === 0) {
          await write('p', 1, ['d;c']);
          void index.refreshed();
        }
        return interests;
      }
    }
    const index: InterestIndex = indexWith(
      {},
      new LateStore(redis, new FencedStore(redis, keys.fence, 1), keys),
    );
    await index.begin();
    await index.refreshed();
    expect(index.listening('d;c')).toEqual(['p']);
    await until(async () => (await redis.hget(keys.interestsSeen, 'p')) === '1');
  });

  it('of an unknown process make the master read the members, and are confirmed to members only', async () => {
    await write('new', 3, ['d;c']);
    await write('gone', 1, ['d;c']);
    const members = new Set<string>();
    let registered = false;
    let looks = 0;
    const index = indexWith({
      isMember: (processId) => members.has(processId),
      readMembers: () => {
        looks++;
        if (registered) members.add('new');
        return Promise.resolve();
      },
    });
    await index.begin();
    expect([looks, index.listening('d;c'), await redis.hgetall(keys.interestsSeen)]).toEqual([1, [], {}]);
    registered = true;
    await index.refreshed();
    expect(index.listening('d;c')).toEqual(['new']);
    expect(await redis.hgetall(keys.interestsSeen)).toEqual({ new: '3' });
  });

  it('of members that Redis has lost still count, and those that were withdrawn do not', async () => {
    await write('lost', 1, ['d;c']);
    await write('withdrawn', 1, ['d;c']);
    await write('gone', 1, ['d;c']);
    const members = new Set(['lost', 'withdrawn', 'gone']);
    const index = indexWith({ isMember: (processId) => members.has(processId) });
    await index.begin();
    expect(index.listening('d;c').toSorted()).toEqual(['gone', 'lost', 'withdrawn']);
    await redis.hdel(keys.interests, 'withdrawn');
    await index.refreshed();
    expect(index.listening('d;c').toSorted()).toEqual(['gone', 'lost']);
    await redis.del(keys.interests, keys.interestsSeen);
    members.delete('gone');
    await index.refreshed();
    expect(index.listening('d;c')).toEqual(['lost']);
    // The process has to write its record again before it learns that the others see it.
    expect(await redis.exists(keys.interestsSeen)).toBe(0);
    await write('lost', 2, []);
    await index.refreshed();
    expect([index.listening('d;c'), await redis.hgetall(keys.interestsSeen)]).toEqual([[], { lost: '2' }]);
  });

  it('of a living process that the master has removed are written again', async () => {
    const subscriber = new SharedSubscriber(process.env.REDIS_URL!);
    closing.push(() => subscriber.close());
    const registry = new InterestRegistry({
      redis,
      subscriber,
      keys,
      processId: 'p',
      listeners: { hasGlobal: true, subscriptions: () => [] },
      timeout: 10,
      refreshInterval: 3_600_000,
    });
    closing.push(() => registry.close());
    await registry.announce();
    await redis.hset(keys.interestsSeen, 'p', '1');
    await sleep(500);
    await until(async () => {
      await new RedisInterestStore(redis, new FencedStore(redis, keys.fence, 1), keys).remove(['p']);
      await sleep(100);
      return (await redis.hexists(keys.interests, 'p')) === 1;
    });
  });
});
