import { closeRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { DirectiveStore } from './directive-store.js';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const HOUR = 3_600_000;

describe('operator directives for workers', () => {
  let redis: Redis;
  let now: number;
  let store: DirectiveStore;
  let key: string;
  beforeAll(async () => {
    redis = openPatientRedis(process.env.REDIS_URL!);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    now = START;
    const keys = clusterKeys(`${randomPrefix()}:`);
    key = keys.directives;
    store = new DirectiveStore(redis, keys, () => now);
  });

  const all = async () => Object.fromEntries((await store.readAll()).directives);

  it('persist with their start time', async () => {
    const first = { standing: 'draining', since: '2026-01-01T00:00:00.000Z' };
    expect(await store.put('ws://a', 'draining')).toEqual([first, true]);
    now += 60_000;
    expect(await store.put('ws://a', 'draining')).toEqual([first, false]);
    await store.put('ws://b', 'cordoned');
    expect(await all()).toEqual({
      'ws://a': first,
      'ws://b': { standing: 'cordoned', since: '2026-01-01T00:01:00.000Z' },
    });
  });

  it('begin once when many processes set the same one at once', async () => {
    const twenty = Array.from({ length: 20 });
    const results = await Promise.all(twenty.map(() => store.put('ws://a', 'draining')));
    expect(results.filter(([, changed]) => changed)).toHaveLength(1);
    expect(new Set(results.map(([{ since }]) => since)).size).toBe(1);
    expect(await all()).toEqual({ 'ws://a': results[0]![0] });
    const removals = await Promise.all(twenty.map(() => store.remove('ws://a')));
    expect(removals.filter((removed) => removed)).toHaveLength(1);
  });

  it('change to the last one set, whose time starts then', async () => {
    await store.put('ws://a', 'cordoned');
    now += 1_000;
    await store.put('ws://a', 'draining');
    expect(await all()).toEqual({ 'ws://a': { standing: 'draining', since: '2026-01-01T00:00:01.000Z' } });
    now += 1_000;
    await store.put('ws://a', 'cordoned');
    expect(await all()).toEqual({ 'ws://a': { standing: 'cordoned', since: '2026-01-01T00:00:02.000Z' } });
    expect(await store.remove('ws://a')).toBe(true);
    expect(await store.remove('ws://a')).toBe(false);
    expect(await all()).toEqual({});
  });

  it('are skipped and reported when unreadable, and replaced by the next one', async () => {
    await redis.hset(
      key,
      'ws://b',
      'garbage{',
      'ws://a',
      '{"standing":"dancing","since":"2026-01-01T00:00:00Z"}',
    );
    await redis.hset(key, 'ws://c', '{"standing":"draining","since":"yesterday"}');
    await store.put('ws://d', 'cordoned');
    const { directives, unreadable } = await store.readAll();
    expect([...directives.keys()]).toEqual(['ws://d']);
    expect(unreadable).toEqual(['ws://a', 'ws://b', 'ws://c']);
    await store.put('ws://c', 'draining');
    expect((await all())['ws://c']).toEqual({ standing: 'draining', since: '2026-01-01T00:00:00.000Z' });
  });

  it('are removed an hour after their worker has left the configuration', async () => {
    await store.put('ws://old', 'draining');
    await store.put('ws://kept', 'draining');
    await redis.hset(key, 'ws://odd', 'garbage{');
    now += HOUR / 2;
    await store.put('ws://young', 'draining');
    now += HOUR / 2;
    expect(await store.prune(['ws://kept'])).toEqual(['ws://odd', 'ws://old']);
    expect(Object.keys(await all()).sort()).toEqual(['ws://kept', 'ws://young']);
    expect(await store.prune(['ws://kept'])).toEqual([]);
  });
});
