import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pretendInfo } from '../../../test-support/pretend-info.js';
import { untilElectable } from '../../../test-support/until-electable.js';
import { eventually } from '../../../testing/eventually.js';
import { electionKeys, type ElectionKeys } from '../election-keys.js';
import { instanceOfOwner } from '../../../lease/lease-owner.js';
import { onFastestClock, validityOf } from '../../../util/clock.js';
import type { HeldLease, LeaseMode, LeaseReply } from './lease-store.js';
import { RedisLeaseStore, type RedisLeaseStoreOptions } from './redis-lease-store.js';

const servers = { 'Redis 7': process.env.REDIS_URL, 'Redis 8': process.env.REDIS8_URL };

/** Longer than a busy machine lets this process or Redis stand still. Milliseconds. */
const LOCK_TTL = 5_000;

const granted = (term: number, mode: LeaseMode = 'lease'): LeaseReply => ({
  kind: 'granted',
  term,
  mode,
  seen: false,
});

for (const [name, url] of Object.entries(servers))
  (url ? describe : describe.skip)(`RedisLeaseStore on ${name}`, () => {
    let redis: Redis;
    let keys: ElectionKeys;
    let store: RedisLeaseStore;
    const options: RedisLeaseStoreOptions = {
      lockTtl: LOCK_TTL,
      validity: { presence: 400, lease: validityOf(LOCK_TTL) },
      commandTimeout: 1_000,
      count: 'NUMSUB',
    };

    beforeAll(() => untilElectable(url!, LOCK_TTL), 30_000);
    beforeEach(() => {
      redis = new Redis(url!);
      keys = electionKeys(`{lease-${randomUUID()}}`);
      store = new RedisLeaseStore(redis, keys, options);
    });
    afterEach(async () => {
      await redis.del(Object.values(keys));
      redis.disconnect();
    });

    const storeOf = (lockTtl: number) =>
      new RedisLeaseStore(redis, keys, {
        ...options,
        lockTtl,
        validity: { presence: 400, lease: validityOf(lockTtl) },
      });
    const briefStore = () => storeOf(1_000);
    const acquire = (owner: string, floor = 0, absent?: HeldLease) =>
      store.acquire(
        { owner, candidateId: instanceOfOwner(owner), floor, floorValidity: 0, claimedFor: 0 },
        absent,
      );
    const confirm = (owner: string, term: number) =>
      store.confirm({ owner, candidateId: instanceOfOwner(owner), term, lapsedFor: 0 });
    const term = async (owner: string) => {
      const reply = await acquire(owner);
      if (reply.kind !== 'granted') throw new Error(`not granted but ${reply.kind}`);
      return reply.term;
    };

    it('writes the record and the documented view of it, all with the same time to live', async () => {
      const first = await term('me:boot:1');
      expect(await redis.hgetall(keys.lease)).toEqual({
        owner: 'me:boot:1',
        term: String(first),
        seq: '1',
        mode: 'lease',
        validity: String(onFastestClock(validityOf(LOCK_TTL))),
        change: '0',
      });
      expect(await redis.get(keys.master)).toBe('me:boot');
      expect(Number(await redis.get(keys.heartbeat))).toBeCloseTo(Date.now(), -4);
      for (const key of [keys.lease, keys.master, keys.heartbeat]) {
        expect(await redis.pttl(key)).toBeGreaterThan(0);
        expect(await redis.pttl(key)).toBeLessThanOrEqual(LOCK_TTL);
      }
    });

    it('grants the same term to a repeated claim, and nothing to another one of the same candidate', async () => {
      const first = await term('me:boot:1');
      expect(await acquire('me:boot:1')).toEqual(granted(first));
      expect(await acquire('me:boot:2')).toMatchObject({ kind: 'held', owner: 'me:boot:1', term: first });
    });

    it('takes terms from the clock of the server, above the stored one and above the floor', async () => {
      const first = await term('a:1');
      expect(first).toBeCloseTo(Date.now(), -4);
      await store.release('a:1');
      await redis.set(keys.term, String(first + 1e9));
      expect(await term('a:2')).toBe(first + 1e9 + 1);
      await store.release('a:2');
      await redis.del(keys.term);
      expect(await acquire('a:3', first + 2e9)).toEqual(granted(first + 2e9 + 1));
    });

    it.each([
      ['a list', () => redis.multi().del(keys.lease).rpush(keys.lease, 'x').exec()],
      ['no term', () => redis.hset(keys.lease, 'term', 'garbage')],
      ['no number', () => redis.hset(keys.lease, 'seq', 'garbage')],
    ])(
      'grants nothing for the time of a lease when another program has made the record %s',
      async (_, damage) => {
        const first = await term('a:boot:1');
        await damage();
        const unreadable = { kind: 'held', owner: 'unreadable-lease:0:0', mode: 'lease' };
        expect(await confirm('a:boot:1', first)).toMatchObject(unreadable);
        const reply = await acquire('b:boot:1');
        expect(reply).toMatchObject(unreadable);
        const { ttl } = reply as HeldLease & LeaseReply;
        expect(ttl).toBeGreaterThan(0);
        expect(ttl).toBeLessThanOrEqual(LOCK_TTL);
        await store.release('a:boot:1');
        expect(await store.read()).toMatchObject(unreadable);
        await eventually(
          'the end of the lease',
          2 * LOCK_TTL,
          async () => (await store.read()).kind === 'vacant',
        );
        expect(await term('b:boot:1')).toBeGreaterThan(first);
      },
    );

    it.each(['garbage', 'nan', '9007199254740991'])('ignores the stored term %s', async (stored) => {
      await redis.set(keys.term, stored);
      expect(await store.read()).toEqual({ kind: 'vacant', term: 0 });
      expect(await term('a:1')).toBeCloseTo(Date.now(), -4);
    });

    it('writes large terms without an exponent', async () => {
      await redis.set(keys.term, '900719925474099');
      expect(await term('a:1')).toBe(900719925474100);
      expect(await redis.get(keys.term)).toBe('900719925474100');
    });

    it('confirms for the owner of the term only', async () => {
      const first = await term('a:1');
      expect(await confirm('a:1', first)).toEqual(granted(first));
      expect(await redis.hget(keys.lease, 'seq')).toBe('2');
      expect(await confirm('a:1', first + 1)).toMatchObject({ kind: 'held', owner: 'a:1' });
      expect(await confirm('b:1', first)).toMatchObject({
        kind: 'held',
        owner: 'a:1',
        term: first,
      });
      await store.release('a:1');
      expect(await confirm('a:1', first)).toMatchObject({ kind: 'vacant' });
    });

    it('releases for the owner only, keeps the term, and notifies the others', async () => {
      const listener = redis.duplicate();
      const heard: unknown[] = [];
      listener.on('message', (_channel, message) => heard.push(JSON.parse(message)));
      await listener.subscribe(keys.changed);
      const first = await term('a:1');
      await store.release('b:1');
      await store.release('a:1');
      await store.release('a:1');
      expect(await store.read()).toEqual({ kind: 'vacant', term: first });
      expect(await redis.exists(keys.master, keys.heartbeat)).toBe(0);
      await redis.publish(keys.changed, '"end"');
      await eventually('the end', 5_000, () => heard.at(-1) === 'end');
      listener.disconnect();
      expect(heard.slice(0, -1)).toEqual([
        { term: first, owner: 'a:1', reason: 'acquired' },
        { term: first, owner: 'a:1', reason: 'released' },
      ]);
    });

    it('looks without touching', async () => {
      expect(await store.read()).toEqual({ kind: 'vacant', term: 0 });
      const first = await term('a:1');
      expect(await store.read()).toMatchObject({ kind: 'held', owner: 'a:1', term: first });
      expect(await redis.hget(keys.lease, 'seq')).toBe('1');
    });

    it('announces names with any characters as JSON', async () => {
      const listener = redis.duplicate();
      const heard: string[] = [];
      listener.on('message', (_channel, message) => heard.push(message));
      await listener.subscribe(keys.changed);
      await term('a "quoted" \\ name:1');
      await eventually('an announcement', 5_000, () => heard.length > 0);
      listener.disconnect();
      expect(JSON.parse(heard[0]!)).toMatchObject({ owner: 'a "quoted" \\ name:1' });
    });

    it('grants nothing while an older leader may still believe in a lease from before a restart', async () => {
      const uptime = Number(/uptime_in_seconds:(\d+)/.exec(await redis.info('server'))![1]);
      const cautious = storeOf((uptime + 60) * 1_000);
      const reply = await cautious.acquire({
        owner: 'a:1',
        candidateId: 'a',
        floor: 0,
        floorValidity: 0,
        claimedFor: 0,
      });
      expect(reply).toMatchObject({ kind: 'restarted' });
      expect(reply.kind === 'restarted' && reply.wait).toBeGreaterThan(50_000);
      expect(reply.kind === 'restarted' && reply.wait).toBeLessThanOrEqual(61_000);
      expect(await redis.exists(keys.lease, keys.term)).toBe(0);
    });

    it('grants nothing at first, and then a lease, while the clock of the server was set back past its start', async () => {
      let run = 'one';
      store = briefStore();
      pretendInfo(redis, () => `uptime_in_seconds:-3600\r\nrun_id:${run}\r\n`);
      expect(await acquire('a:1')).toEqual({ kind: 'restarted', wait: 2_000 });
      // Quiet time for a lease of 1 s.
      await sleep(2_200);
      expect(await acquire('a:1')).toMatchObject({ kind: 'granted' });
      await store.release('a:1');
      run = 'two';
      expect(await acquire('b:1')).toMatchObject({ kind: 'restarted' });
    });

    it('lets the record expire', async () => {
      store = briefStore();
      const first = await term('a:1');
      await sleep(1_050);
      expect(await store.read()).toEqual({ kind: 'vacant', term: first });
      expect(await term('b:1')).toBeGreaterThan(first);
    });
  });
