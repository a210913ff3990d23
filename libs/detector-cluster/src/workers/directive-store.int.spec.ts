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

  const configured = ['ws://a', 'ws://b', 'ws://c', 'ws://d'];
  const all = async () => Object.fromEntries((await store.readAll(configured)).directives);

  it('persist with their start time', async () => {
    const first = { standing: 'draining', since: '2026-01-01T00:00:00.000Z' };
    expect(await store.set('ws://a', 'draining')).toEqual({ ...first, former: 'open', changed: true });
    now += 60_000;
    expect(await store.set('ws://a', 'draining')).toEqual({ ...first, former: 'draining', changed: false });
    await store.set('ws://b', 'cordoned');
    expect(await all()).toEqual({
      'ws://a': first,
      'ws://b': { standing: 'cordoned', since: '2026-01-01T00:01:00.000Z' },
    });
  });

  it('begin once when many processes set the same one at once', async () => {
    const twenty = Array.from({ length: 20 });
    const results = await Promise.all(twenty.map(() => store.set('ws://a', 'draining')));
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
    expect(new Set(results.map(({ since }) => since)).size).toBe(1);
    expect(await all()).toEqual({ 'ws://a': { standing: 'draining', since: results[0]!.since } });
    const removals = await Promise.all(twenty.map(() => store.set('ws://a', 'open')));
    expect(removals.filter(({ changed }) => changed)).toHaveLength(1);
    expect(removals.map(({ former, changed }) => (former === 'draining') === changed)).not.toContain(false);
  });

  it('change to the last one set, whose time starts then', async () => {
    await store.set('ws://a', 'cordoned');
    now += 1_000;
    await store.set('ws://a', 'draining');
    expect(await all()).toEqual({ 'ws://a': { standing: 'draining', since: '2026-01-01T00:00:01.000Z' } });
    now += 1_000;
    await store.set('ws://a', 'cordoned');
    expect(await all()).toEqual({ 'ws://a': { standing: 'cordoned', since: '2026-01-01T00:00:02.000Z' } });
    const open = { standing: 'open', since: null };
    expect(await store.set('ws://a', 'open')).toEqual({ ...open, former: 'cordoned', changed: true });
    expect(await store.set('ws://a', 'open')).toEqual({ ...open, former: 'open', changed: false });
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
    await store.set('ws://d', 'cordoned');
    const { directives, unreadable } = await store.readAll(configured);
    expect([...directives.keys()]).toEqual(['ws://d']);
    expect(unreadable).toEqual(['ws://a', 'ws://b', 'ws://c']);
    await store.set('ws://c', 'draining');
    expect((await all())['ws://c']).toEqual({ standing: 'draining', since: '2026-01-01T00:00:00.000Z' });
    expect((await store.set('ws://b', 'open')).changed).toBe(true);
    expect((await store.readAll(configured)).unreadable).toEqual(['ws://a']);
  });

  it('are removed an hour after their worker has left the configuration', async () => {
    await store.set('ws://old', 'draining');
    await store.set('ws://kept', 'draining');
    await redis.hset(key, 'ws://odd', 'garbage{');
    now += HOUR / 2;
    await store.set('ws://young', 'draining');
    now += HOUR / 2;
    expect((await store.readAll(['ws://kept'])).unreadable).toEqual(['ws://odd']);
    const { directives, unreadable } = await store.readAll(['ws://kept']);
    expect([...directives.keys()].sort()).toEqual(['ws://kept', 'ws://young']);
    expect(unreadable).toEqual([]);
    expect((await redis.hkeys(key)).sort()).toEqual(['ws://kept', 'ws://young']);
  });
});
