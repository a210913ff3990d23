import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DuplicateNodeIdError, UnknownProcessError } from '../shared/errors.js';
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
});

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
