import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DuplicateNodeIdError, FormatLevelError, UnknownProcessError } from '../shared/errors.js';
import type { ProcessEntry } from './process-entry.js';
import { ProcessRegistry, registryKeys } from './process-registry.js';

const servers = { 'Redis 7': process.env.REDIS_URL, 'Redis 8': process.env.REDIS8_URL };

/** Of an entry: longer than a busy machine lets this process or Redis stand still. Seconds. */
const TTL = 5;

/** More than half of the time to live of an entry. */
const mostOfIt = () => sleep(TTL * 600);

const entryOf = (processId: string, bootId = 'boot'): ProcessEntry => ({
  processId,
  nodeId: processId,
  identifier: 'cms',
  role: 'slave',
  lastSeen: '2026-01-01T00:00:00.000Z',
  registeredAt: '2026-01-01T00:00:00.000Z',
  capabilities: { canProcessDetections: true, maxSubscriptions: 1, preferredWorkload: 1 },
  metadata: {},
  bootId,
  showsPresence: false,
  formatLevel: 1,
});

/** An entry of a process that understands formats up to this level. */
const of = (processId: string, formatLevel: number) => ({ ...entryOf(processId), formatLevel });

for (const [name, url] of Object.entries(servers))
  (url ? describe : describe.skip)(`ProcessRegistry on ${name}`, () => {
    let redis: Redis;
    let lockName: string;
    let registry: ProcessRegistry;

    beforeEach(() => {
      redis = new Redis(url!);
      lockName = `{registry-${randomUUID()}}`;
      registry = new ProcessRegistry(redis, lockName, TTL);
    });
    afterEach(async () => {
      const keys = await redis.keys(`${lockName}:*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    });

    const presenceOf = (candidateId: string) => registryKeys(lockName).presence + candidateId;
    const ids = async () => (await registry.read()).entries.map(({ processId }) => processId).sort();

    it('reads entries that were put', async () => {
      const entries = [entryOf('a'), { ...entryOf('b'), metadata: { list: [], text: '"ü"' } }];
      for (const entry of entries) expect(await registry.put(entry)).toBeNull();
      expect([...(await registry.read()).entries].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))).toEqual(
        entries,
      );
    });

    it('lets single entries expire while others are renewed', async () => {
      await registry.put(entryOf('renewed'));
      await registry.put(entryOf('forgotten'));
      await mostOfIt();
      await registry.put(entryOf('renewed'));
      await mostOfIt();
      expect(await ids()).toEqual(['renewed']);
      await mostOfIt();
      expect(await ids()).toEqual([]);
      expect(await redis.exists(`${lockName}:processes`, `${lockName}:processes:expiry`)).toBe(0);
    });

    it('keeps an entry for 45 s by default', async () => {
      await new ProcessRegistry(redis, lockName).put(entryOf('a'));
      const expiry = await redis.zscore(`${lockName}:processes:expiry`, 'a');
      const [seconds, micros] = (await redis.time()).map(Number);
      const left =
        expiry === null
          ? Number(await redis.call('HPTTL', `${lockName}:processes`, 'FIELDS', 1, 'a'))
          : Number(expiry) - seconds! * 1_000 - micros! / 1_000;
      expect(left).toBeGreaterThan(40_000);
      expect(left).toBeLessThanOrEqual(45_000);
    });

    it('accepts a process that slept past its time to live', async () => {
      await new ProcessRegistry(redis, lockName, 1).put(entryOf('a'));
      await sleep(1_100);
      expect(await registry.put(entryOf('a'))).toBeNull();
      expect(await ids()).toEqual(['a']);
    });

    it('returns the boot id of the replaced entry', async () => {
      await registry.put(entryOf('a', 'first'));
      expect(await registry.put(entryOf('a', 'second'))).toBe('first');
    });

    it('refuses the id of a live process, but not that of a dead one', async () => {
      await registry.put(entryOf('a', 'first'));
      expect(await registry.put(entryOf('a', 'second'), { unlessPresent: true })).toBe('first');
      const presence = redis.duplicate();
      await presence.subscribe(presenceOf('a:second'));
      await expect(registry.put(entryOf('a', 'third'), { unlessPresent: true })).rejects.toThrow(
        DuplicateNodeIdError,
      );
      expect(await registry.put(entryOf('a', 'second'), { unlessPresent: true })).toBe('second');
      presence.disconnect();
    });

    it('renews an entry without changing the rest of it', async () => {
      const entry = { ...entryOf('a'), metadata: { empty: [], big: 1e21 } };
      await registry.put(entry);
      await mostOfIt();
      await registry.touch('a', '2026-01-02T00:00:00.000Z');
      await mostOfIt();
      expect((await registry.read()).entries).toEqual([{ ...entry, lastSeen: '2026-01-02T00:00:00.000Z' }]);
      await expect(registry.touch('b', '')).rejects.toThrow(UnknownProcessError);
      await mostOfIt();
      await expect(registry.touch('a', '')).rejects.toThrow(UnknownProcessError);
    });

    it('does not overwrite an entry that changed', async () => {
      await registry.put(entryOf('a'));
      await registry.put({ ...entryOf('a'), metadata: { new: true } }, { expected: 'something else' });
      expect((await registry.read()).entries[0]!.metadata).toEqual({});
    });

    it('removes an entry, or only one of a given start', async () => {
      await registry.put(entryOf('a', 'first'));
      expect(await registry.remove('a', 'second')).toBe(false);
      expect(await registry.remove('a', 'first')).toBe(true);
      expect(await registry.remove('a')).toBe(false);
      expect(await ids()).toEqual([]);
    });

    it('returns the holder of the lease, and keeps the documented key of the master', async () => {
      expect((await registry.read()).leaderId).toBeNull();
      await redis.hset(`${lockName}:lease`, 'owner', 'a:boot:incarnation:17');
      expect((await registry.read()).leaderId).toBe('a:boot');
      await registry.put(entryOf('b'));
      expect(await redis.exists(`${lockName}:master_process`)).toBe(0);
      await registry.put(entryOf('a'));
      expect(JSON.parse((await redis.get(`${lockName}:master_process`))!)).toEqual(entryOf('a'));
      await registry.remove('b', 'other');
      expect(await redis.exists(`${lockName}:master_process`)).toBe(1);
      await registry.remove('a');
      expect(await redis.exists(`${lockName}:master_process`)).toBe(0);
    });

    it('skips values that are not entries', async () => {
      await redis.hset(`${lockName}:processes`, 'x', 'rubbish', 'y', '{}');
      await registry.put(entryOf('x'));
      await registry.put(entryOf('a'));
      expect(await ids()).toEqual(['a', 'x']);
    });

    it('takes over entries from a server without expiry of fields', async () => {
      await redis.hset(
        `${lockName}:processes`,
        'a',
        JSON.stringify(entryOf('a')),
        'b',
        JSON.stringify(entryOf('b')),
      );
      await redis.zadd(`${lockName}:processes:expiry`, Date.now() + 400, 'a', Date.now() + 400, 'b');
      await registry.put(entryOf('a'));
      await sleep(600);
      expect(await ids()).toEqual(['a']);
    });

    describe('the level of formats', () => {
      const second = { level: 2, version: '1.1.0' };

      it('is the first one until it is raised', async () => {
        await registry.put(entryOf('a'));
        expect(registry.written).toEqual({ level: 1, version: '0.1.0' });
      });

      it('is raised only if every registered process understands it', async () => {
        await registry.put(of('new', 2));
        await registry.put(of('old', 1));
        await registry.raiseFormats(7, second);
        expect(registry.written.level).toBe(1);
        await registry.remove('old');
        await registry.raiseFormats(7, second);
        expect(registry.written).toEqual(second);
        expect(await redis.hgetall(registryKeys(lockName).formats)).toEqual({
          level: '2',
          version: '1.1.0',
          term: '7',
        });
      });

      it('is not raised over a process that does not say what it understands', async () => {
        const { formatLevel: _, ...entry } = entryOf('old');
        await redis.hset(registryKeys(lockName).processes, 'old', JSON.stringify(entry));
        await registry.raiseFormats(7, second);
        expect(registry.written.level).toBe(1);
      });

      it('is not raised by the master of an earlier term, and never lowered', async () => {
        await registry.raiseFormats(7, second);
        const earlier = new ProcessRegistry(redis, lockName, TTL);
        await earlier.raiseFormats(6, { level: 3, version: '1.2.0' });
        await earlier.raiseFormats(8, { level: 1, version: '0.1.0' });
        await earlier.read();
        expect(earlier.written).toEqual(second);
      });

      it('reaches other processes with their registration', async () => {
        const other = new ProcessRegistry(redis, lockName, TTL);
        await other.put(of('b', 2));
        await registry.raiseFormats(7, second);
        expect(other.written.level).toBe(1);
        await other.put(of('b', 2));
        expect(other.written).toEqual(second);
      });

      it('refuses a process that understands less, by the version to use, also if it was registered before', async () => {
        await registry.put(of('paused', 1));
        await registry.remove('paused');
        await registry.raiseFormats(7, second);
        const refused = new ProcessRegistry(redis, lockName, TTL).put(of('paused', 1));
        await expect(refused).rejects.toThrow(FormatLevelError);
        await expect(refused).rejects.toThrow('start version 1.1.0 or newer');
        expect(await ids()).toEqual([]);
      });

      it('is written again by any process that knows it when Redis has lost it', async () => {
        const other = new ProcessRegistry(redis, lockName, TTL);
        await registry.raiseFormats(7, second);
        await redis.del(registryKeys(lockName).formats);
        await other.put(of('old', 1));
        expect((await registry.read()).entries).toHaveLength(1);
        await expect(other.put(of('old', 1))).rejects.toThrow(FormatLevelError);
      });

      it.each([
        ['a key of another type', () => redis.set(registryKeys(lockName).formats, 'of another program')],
        ['no level', () => redis.hset(registryKeys(lockName).formats, 'level', 'high', 'term', 'last')],
      ])('is written again if another program has left %s', async (_name, write) => {
        await registry.raiseFormats(7, second);
        await redis.del(registryKeys(lockName).formats);
        await write();
        await registry.put(of('new', 2));
        expect(await redis.hget(registryKeys(lockName).formats, 'level')).toBe('2');
      });
    });

    it('returns the processes that are present', async () => {
      const presence = redis.duplicate();
      await presence.subscribe(presenceOf('a:boot'));
      expect(await registry.present(['a:boot', 'b:boot'])).toEqual(new Set(['a:boot']));
      expect(await registry.present([])).toEqual(new Set());
      presence.disconnect();
    });
  });

describe.each([
  ['Redis 7', process.env.REDIS_URL],
  ['Redis 8', process.env.REDIS8_URL],
] as const)('expiry on %s', (_name, url) => {
  (url ? it : it.skip)('is left to the server if it supports it, otherwise kept in an index', async () => {
    const redis = new Redis(url!);
    const known = (await redis.call('COMMAND', 'INFO', 'HSETEX')) as unknown[];
    const lockName = `{registry-${randomUUID()}}`;
    await new ProcessRegistry(redis, lockName, 1).put(entryOf('a'));
    expect(await redis.exists(`${lockName}:processes:expiry`)).toBe(known[0] ? 0 : 1);
    await redis.del(`${lockName}:processes`, `${lockName}:processes:expiry`);
    redis.disconnect();
  });
});
