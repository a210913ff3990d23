import { closeRedis } from '@detector-cluster/election/redis';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { HashMirror } from './hash-mirror.js';

const changes = (fields: Record<string, string | null>) => new Map(Object.entries(fields));

describe('HashMirror', () => {
  const redis = openPatientRedis(process.env.REDIS_URL!);
  const key = randomPrefix();
  const store = new FencedStore(redis, `${key}:fence`, 1_700_000_000_000);
  let mirror: HashMirror;
  beforeEach(async () => {
    vi.restoreAllMocks();
    await redis.del(key);
    mirror = new HashMirror(store, key);
  });
  afterAll(async () => {
    await redis.del(key, `${key}:fence`);
    closeRedis(redis);
  });

  const hash = () => redis.hgetall(key);

  it('writes only differences', async () => {
    await redis.hset(key, { old: '1', same: '2' });
    await mirror.load(redis);
    const writing = vi.spyOn(store, 'write');
    expect(
      await mirror.sync(
        new Map([
          ['same', '2'],
          ['new', '3'],
        ]),
      ),
    ).toEqual(['old']);
    expect(writing.mock.calls).toEqual([
      [
        [
          ['HSET', key, 'new', '3'],
          ['HDEL', key, 'old'],
        ],
      ],
    ]);
    expect(await hash()).toEqual({ same: '2', new: '3' });
    expect([...mirror.fields()].sort()).toEqual(['new', 'same']);
  });

  it('rewrites fields that a failed call may have written, even if the value is as before', async () => {
    await mirror.apply(changes({ a: '1', b: '1' }));
    const write = store.write.bind(store);
    vi.spyOn(store, 'write').mockImplementationOnce(async (commands) => {
      await write(commands);
      throw new Error('the reply was lost');
    });
    await expect(mirror.apply(changes({ a: '2', b: null, c: '2' }))).rejects.toThrow('lost');
    expect([...'abc'].map((field) => mirror.has(field))).toEqual([false, false, false]);
    expect([...mirror.fields()].sort()).toEqual(['a', 'b', 'c']);
    // It was desired only briefly.
    await mirror.sync(
      new Map([
        ['a', '1'],
        ['b', '1'],
      ]),
    );
    expect(await hash()).toEqual({ a: '1', b: '1' });
    expect([...'abc'].map((field) => mirror.has(field))).toEqual([true, true, false]);
  });

  it('writes long values one after another, and remembers those that Redis has accepted', async () => {
    const long = 'x'.repeat(150_000);
    const write = store.write.bind(store);
    const writing = vi.spyOn(store, 'write');
    writing.mockImplementationOnce(write).mockRejectedValueOnce(new Error('unavailable'));
    await expect(mirror.apply(changes({ a: long, b: long, c: long }))).rejects.toThrow('unavailable');
    expect([...'abc'].map((field) => mirror.has(field))).toEqual([true, false, false]);
    expect(Object.keys(await hash())).toEqual(['a']);
    writing.mockClear();
    await mirror.sync(changes({ a: long, b: long, c: long }) as Map<string, string>);
    expect(writing.mock.calls.map(([[command]]) => command![2])).toEqual(['b', 'c']);
    expect([...'abc'].map((field) => mirror.has(field))).toEqual([true, true, true]);
  });

  it('finds what Redis does not have as it was written, and writes it with the next sync', async () => {
    const foreign = vi.spyOn(store, 'foreign').mockImplementation(() => undefined);
    const wanted = new Map(Object.entries({ a: '1', b: '1', c: '1' }));
    await mirror.sync(wanted);
    expect(await mirror.compare()).toBe(false);
    await redis.multi().hdel(key, 'a').hset(key, { b: 'of before', x: 'of before' }).exec();
    expect(await mirror.compare()).toBe(true);
    expect([...'abc'].map((field) => mirror.has(field))).toEqual([false, false, true]);
    vi.spyOn(store, 'write').mockRejectedValueOnce(new Error('unavailable'));
    await expect(mirror.sync(wanted)).rejects.toThrow('unavailable');
    await mirror.sync(wanted);
    expect(await hash()).toEqual(Object.fromEntries(wanted));
    expect(foreign.mock.calls).toEqual([
      [`${key} was not as this master had written it: 3 fields are written again`],
    ]);
  });

  it('takes no change that is made during a comparison for one of another program', async () => {
    await mirror.apply(changes({ a: '1', b: '1' }));
    const hscan = redis.hscan.bind(redis) as (...args: unknown[]) => Promise<[string, string[]]>;
    vi.spyOn(redis, 'hscan').mockImplementationOnce((async (...args: unknown[]) => {
      const page = await hscan(...args);
      await mirror.apply(changes({ a: '2', b: null, c: '2' }));
      return page;
    }) as never);
    expect(await mirror.compare()).toBe(false);
    expect(await hash()).toEqual({ a: '2', c: '2' });
    expect([...mirror.fields()].sort()).toEqual(['a', 'c']);
  });

  it('changes the revision with each write that Redis applies, and only then', async () => {
    const revisionKey = `${key}:revision`;
    const revision = () => redis.get(revisionKey);
    const seen = new Set<string | null>();
    const expectNew = async () => {
      const now = await revision();
      expect(seen.has(now)).toBe(false);
      seen.add(now);
    };
    seen.add(await revision());
    mirror = new HashMirror(store, key, revisionKey);
    await mirror.apply(changes({ a: '1', b: '1' }));
    await expectNew();
    await mirror.sync(new Map(Object.entries({ a: '1', b: '1' })));
    expect(seen.has(await revision())).toBe(true);
    await mirror.apply(changes({ b: null }));
    await expectNew();

    const write = store.write.bind(store);
    vi.spyOn(store, 'write').mockRejectedValueOnce(new Error('unavailable'));
    await expect(mirror.apply(changes({ a: '2' }))).rejects.toThrow('unavailable');
    expect(seen.has(await revision())).toBe(true);
    vi.spyOn(store, 'write').mockImplementationOnce(async (commands) => {
      await write(commands);
      throw new Error('the reply was lost');
    });
    await expect(mirror.apply(changes({ a: '2' }))).rejects.toThrow('lost');
    await expectNew();
    await mirror.apply(changes({ a: '3' }));
    await expectNew();

    // A successor, and after a loss of data possibly one with the same term.
    const successor = new HashMirror(store, key, revisionKey);
    await successor.load(redis);
    await successor.apply(changes({ a: '4' }));
    await expectNew();
    await redis.del(revisionKey);
  });
});
