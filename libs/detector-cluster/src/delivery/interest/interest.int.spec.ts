import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import { eventually } from '@detector-cluster/election/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { clusterKeys, type ClusterKeys } from '../../redis/cluster-keys.js';
import type { RouterContext } from '../router/router-context.js';
import { InterestIndex } from './interest-index.js';
import { InterestRegistry } from './interest-registry.js';

describe('interests', () => {
  const url = process.env.REDIS_URL!;
  let redis: Redis;
  let keys: ClusterKeys;
  beforeAll(async () => {
    redis = openRedis(url, commandSettings);
    await whenReady(redis, 10_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    keys = clusterKeys(`{test-${randomUUID()}}:`);
  });

  const contextOf = (client: object) =>
    ({
      redis: client,
      keys,
      term: 1,
      signal: new AbortController().signal,
      onEvent: () => undefined,
      deposed: () => undefined,
    }) as unknown as RouterContext;

  it('of a process are announced until a master has taken notice, also when nobody waits any more', async () => {
    const hints: string[] = [];
    const ear = openRedis(url, { ...commandSettings, enableOfflineQueue: true });
    ear.on('message', (_channel, text: string) => hints.push(text));
    await ear.subscribe(keys.interestsChanged);
    const warnings: string[] = [];
    const registry = new InterestRegistry({
      redis: url,
      keys,
      processId: 'p',
      subscriptions: () => ['d;c'],
      onWarning: (warning) => warnings.push(warning),
      timeout: 100,
      refreshInterval: 3_600_000,
    });
    await registry.announce();
    expect(warnings).toEqual([
      expect.stringMatching(/^the master has not confirmed this process's listeners/),
    ]);
    const before = hints.length;
    await eventually('further hints', 10_000, () => hints.length > before + 2);
    await redis.hset(keys.interestsSeen, 'p', '1');
    await eventually('silence', 10_000, async () => {
      const count = hints.length;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return hints.length === count;
    });
    await registry.close();
    closeRedis(ear);
  });

  it('that come while a master reads them for the first time are read, too', async () => {
    const index: InterestIndex = new InterestIndex(
      contextOf({
        hgetall: async (key: string) => {
          const answer = await redis.hgetall(key);
          // Answered already, and not yet taken in.
          if (key === keys.interests && Object.keys(answer).length === 0) {
            await redis.hset(key, 'p', JSON.stringify({ version: 1, subscriptions: ['d;c'] }));
            index.refreshSoon();
          }
          return answer;
        },
        evalsha: redis.evalsha.bind(redis),
        eval: redis.eval.bind(redis),
      }),
      { serves: () => true, read: () => Promise.reject(new Error('everybody is known')) },
    );
    await index.begin();
    await eventually('the interest', 10_000, () => index.interested('d;c').length > 0);
    expect(index.interested('d;c')).toEqual(['p']);
    await eventually('confirmed', 10_000, async () => (await redis.hget(keys.interestsSeen, 'p')) === '1');
  });

  it('of a process that the master does not know yet have it look who is there, and are confirmed when it is', async () => {
    await redis.hset(keys.interests, 'new', JSON.stringify({ version: 3, subscriptions: ['d;c'] }));
    await redis.hset(keys.interests, 'dead', JSON.stringify({ version: 1, subscriptions: ['d;c'] }));
    await redis.hset(keys.interests, 'idle', JSON.stringify({ version: 2, subscriptions: [] }));
    const known = new Set<string>();
    let registered = false;
    let looks = 0;
    const index = new InterestIndex(contextOf(redis), {
      serves: (processId) => known.has(processId),
      read: () => {
        looks++;
        if (registered) known.add('new');
        return Promise.resolve();
      },
    });
    await index.begin();
    expect([looks, await redis.hgetall(keys.interestsSeen)]).toEqual([1, { idle: '2' }]);
    registered = true;
    await index.refreshed();
    expect(await redis.hgetall(keys.interestsSeen)).toEqual({ idle: '2', new: '3' });
    expect(index.interested('d;c')).toContain('new');
  });
});
