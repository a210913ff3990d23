import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pretendInfo } from '../../../test-support/pretend-info.js';
import { untilElectable } from '../../../test-support/until-electable.js';
import { eventually } from '../../../testing/eventually.js';
import { electionKeys, type ElectionKeys } from '../election-keys.js';
import { instanceOfOwner } from '../../../lease/lease-owner.js';
import { onFastestClock, validityOf } from '../../../util/clock.js';
import type { HeldLease, ModeChange } from './lease-store.js';
import { RedisLeaseStore } from './redis-lease-store.js';

const servers = { 'Redis 7': process.env.REDIS_URL, 'Redis 8': process.env.REDIS8_URL };

/** Longer than a busy machine lets this process or Redis stand still. Milliseconds. */
const LOCK_TTL = 8_000;

const claimant = (owner: string, seen = { floor: 0, floorValidity: 0 }) => ({
  owner,
  candidateId: instanceOfOwner(owner),
  ...seen,
  claimedFor: 0,
});

for (const [name, url] of Object.entries(servers))
  (url ? describe : describe.skip)(`a lease that rests on presence, on ${name}`, () => {
    let redis: Redis;
    let keys: ElectionKeys;
    let store: RedisLeaseStore;
    let shown: Redis[];

    beforeAll(() => untilElectable(url!, LOCK_TTL), 30_000);
    beforeEach(() => {
      redis = new Redis(url!);
      keys = electionKeys(`{lease-${randomUUID()}}`);
      store = storeWith('NUMSUB');
      shown = [];
    });
    afterEach(async () => {
      for (const connection of shown) connection.disconnect();
      await redis.del(Object.values(keys));
      redis.disconnect();
    });

    const storeWith = (count: 'NUMSUB' | '') =>
      new RedisLeaseStore(redis, keys, {
        lockTtl: LOCK_TTL,
        validity: { presence: 400, lease: validityOf(LOCK_TTL) },
        commandTimeout: 1_000,
        count,
      });
    const show = async (candidateId: string) => {
      const connection = redis.duplicate();
      shown.push(connection);
      await connection.subscribe(keys.presence + candidateId);
      return async () => {
        connection.disconnect();
        await eventually('not seen', 5_000, async () => {
          const [, listeners] = (await redis.pubsub('NUMSUB', keys.presence + candidateId)) as [
            string,
            number,
          ];
          return listeners === 0;
        });
      };
    };
    const acquire = (owner: string, absent?: HeldLease) => store.acquire(claimant(owner), absent);
    const termOf = async (owner: string) => {
      const reply = await acquire(owner);
      if (reply.kind !== 'granted') throw new Error(`not granted but ${reply.kind}`);
      return reply.term;
    };
    const confirm = (owner: string, term: number, change?: ModeChange) =>
      store.confirm({ owner, candidateId: instanceOfOwner(owner), term, change, lapsedFor: 0 });
    const look = async () => {
      const reply = await store.read();
      if (reply.kind !== 'held') throw new Error(`not held but ${reply.kind}`);
      return reply;
    };
    const seq = () => redis.hget(keys.lease, 'seq');
    const expectStated = async (validity: number) => {
      expect(await redis.hget(keys.lease, 'validity')).toBe(`${validity}`);
      expect(await redis.get(keys.validity)).toBe(`${validity}`);
      expect(await look()).toMatchObject({ validity });
    };

    it('is granted only to a process that the server sees, whatever the process claims', async () => {
      expect(await acquire('a:1')).toMatchObject({ kind: 'granted', mode: 'lease' });
      await store.release('a:1');
      await show('a');
      expect(await acquire('a:2')).toMatchObject({ kind: 'granted', mode: 'presence' });
      await store.release('a:2');
      expect(await storeWith('').acquire(claimant('a:3'))).toMatchObject({ kind: 'granted', mode: 'lease' });
    });

    it('is confirmed only while its leader is seen, and not extended otherwise', async () => {
      const hide = await show('a');
      const term = await termOf('a:1');
      expect(await confirm('a:1', term)).toEqual({ kind: 'granted', term, mode: 'presence', seen: true });
      expect(await seq()).toBe('2');
      await hide();
      await redis.pexpire(keys.lease, LOCK_TTL / 2);
      expect(await confirm('a:1', term)).toEqual({ kind: 'unseen' });
      expect(await seq()).toBe('2');
      expect(await redis.pttl(keys.lease)).toBeLessThanOrEqual(LOCK_TTL / 2);
      await show('a');
      expect(await confirm('a:1', term)).toMatchObject({ kind: 'granted' });
    });

    it('says whether its leader is seen', async () => {
      const hide = await show('a');
      await termOf('a:1');
      expect(await look()).toMatchObject({ owner: 'a:1', mode: 'presence', seq: '1', absent: false });
      await hide();
      expect(await look()).toMatchObject({ owner: 'a:1', absent: true });
      expect(await storeWith('').read()).toMatchObject({ owner: 'a:1', absent: false });
    });

    it('passes to another when its leader is absent and nothing was confirmed since', async () => {
      const hide = await show('a');
      const term = await termOf('a:1');
      await hide();
      const absent = await look();
      const taken = await acquire('b:1', absent);
      expect(taken).toMatchObject({ kind: 'granted', mode: 'lease' });
      const after = await look();
      expect(after).toMatchObject({ owner: 'b:1' });
      expect(after.term).toBeGreaterThan(term);
      expect(await redis.get(keys.master)).toBe('b');
      expect(await confirm('a:1', term)).toMatchObject({ kind: 'held', owner: 'b:1' });
      expect(await acquire('b:1', absent)).toEqual(taken);
    });

    it('does not pass when its leader was confirmed, came back, was replaced, or rests on time', async () => {
      const hide = await show('a');
      const term = await termOf('a:1');
      const before = await look();
      await confirm('a:1', term);
      await hide();
      expect(await acquire('b:1', { ...before, absent: true })).toMatchObject({ kind: 'held', owner: 'a:1' });
      const absent = await look();
      await show('a');
      expect(await acquire('b:1', absent)).toMatchObject({ kind: 'held', owner: 'a:1', absent: false });
      for (const connection of shown) connection.disconnect();
      await eventually('absent', 5_000, async () => (await look()).absent);
      expect(await acquire('b:1', { ...absent, owner: 'c:1' })).toMatchObject({ kind: 'held' });
      expect(await acquire('b:1', { ...absent, term: term - 1 })).toMatchObject({ kind: 'held' });
      await redis.hset(keys.lease, 'mode', 'lease');
      expect(await acquire('b:1', await look())).toMatchObject({ kind: 'held', owner: 'a:1', mode: 'lease' });
    });

    it('changes its mode for its leader, to presence only when the server sees the leader', async () => {
      const term = await termOf('a:1');
      expect(await confirm('a:1', term)).toMatchObject({ kind: 'granted', mode: 'lease', seen: false });
      expect(await confirm('a:1', term, { mode: 'presence', number: 1 })).toEqual({ kind: 'unseen' });
      expect(await look()).toMatchObject({ mode: 'lease' });
      await show('a');
      expect(await confirm('a:1', term)).toMatchObject({ mode: 'lease', seen: true });
      expect(await confirm('a:1', term, { mode: 'presence', number: 1 })).toMatchObject({
        kind: 'granted',
        mode: 'presence',
      });
      expect(await look()).toMatchObject({ mode: 'presence' });
      expect(await confirm('a:1', term, { mode: 'lease', number: 2 })).toMatchObject({
        kind: 'granted',
        mode: 'lease',
      });
      expect(await confirm('b:1', term, { mode: 'presence', number: 3 })).toMatchObject({
        kind: 'held',
        owner: 'a:1',
      });
      expect(await look()).toMatchObject({ mode: 'lease' });
      // Requested before the last change, and late.
      expect(await confirm('a:1', term, { mode: 'presence', number: 1 })).toMatchObject({ mode: 'lease' });
      expect(await look()).toMatchObject({ mode: 'lease' });
    });

    it('is granted sooner after a restart of the server than a lease that rests on time', async () => {
      const uptime = Number(/uptime_in_seconds:(\d+)/.exec(await redis.info('server'))![1]);
      const lockTtl = (uptime + 100) * 1_000;
      const cautious = new RedisLeaseStore(redis, keys, {
        lockTtl,
        validity: { presence: 400, lease: validityOf(lockTtl) },
        commandTimeout: 1_000,
        count: 'NUMSUB',
      });
      expect(await cautious.acquire(claimant('a:1'))).toMatchObject({ kind: 'restarted' });
      await show('a');
      expect(await cautious.acquire(claimant('a:1'))).toMatchObject({ kind: 'granted', mode: 'presence' });
    });

    it('states how long its leader may act without a confirmation, in either mode', async () => {
      const term = await termOf('a:1');
      const [byTime, byPresence] = [onFastestClock(validityOf(LOCK_TTL)), 409];
      expect(byTime).toBeLessThanOrEqual(LOCK_TTL);
      await expectStated(byTime);
      await show('a');
      await confirm('a:1', term, { mode: 'presence', number: 1 });
      await expectStated(byPresence);
      await confirm('a:1', term);
      await expectStated(byPresence);
      await confirm('a:1', term, { mode: 'lease', number: 2 });
      await expectStated(byTime);
      await confirm('a:1', term, { mode: 'presence', number: 1 });
      await expectStated(byTime);
    });

    it.each(['', 'x', '-1', '0', '1.5', 'nan', 'inf', '1e300', '99999999999'])(
      'does not state it with %j',
      async (garbage) => {
        await show('a');
        await termOf('a:1');
        await redis.hset(keys.lease, 'validity', garbage);
        expect(await look()).toMatchObject({ validity: undefined });
        await redis.hdel(keys.lease, 'validity');
        expect(await look()).toMatchObject({ validity: undefined });
      },
    );

    describe('on a server that has started a minute ago', () => {
      const UPTIME = 60;
      const LONG = 300_000;
      beforeEach(() => pretendInfo(redis, () => `uptime_in_seconds:${UPTIME}\r\n`));

      it('is not granted while a longer lease may be valid that the candidate has seen and the server has lost', async () => {
        await show('a');
        expect(await store.acquire(claimant('a:1', { floor: 5, floorValidity: LONG }))).toEqual({
          kind: 'restarted',
          wait: LONG + 1_000 - UPTIME * 1_000,
        });
        // Nor to candidates that have not seen it.
        await show('b');
        expect(await acquire('b:1')).toMatchObject({ kind: 'restarted' });
        expect(await store.acquire(claimant('b:1', { floor: 5, floorValidity: 409 }))).toMatchObject({
          kind: 'restarted',
        });
      });

      it('is not granted while the last lease may be valid, which the server knows', async () => {
        await show('a');
        await redis.set(keys.validity, LONG);
        expect(await acquire('a:1')).toMatchObject({ kind: 'restarted' });
      });

      it('is granted when that lease was released, or a later one was granted', async () => {
        await show('a');
        const term = await termOf('a:1');
        await store.release('a:1');
        expect(await redis.exists(keys.validity)).toBe(0);
        const seen = { floor: term, floorValidity: LONG };
        expect(await store.acquire(claimant('a:2', seen))).toMatchObject({ kind: 'granted' });
        await redis.del(keys.lease);
        expect(await store.acquire(claimant('a:3', seen))).toMatchObject({ kind: 'granted' });
      });

      it.each(['', 'x', '-1', '0', 'nan', '{}', 'inf', '1e300', '3600001'])(
        'is granted when the server knows nothing but %j',
        async (garbage) => {
          await show('a');
          await redis.set(keys.validity, garbage);
          expect(await acquire('a:1')).toMatchObject({ kind: 'granted' });
          expect(await redis.get(keys.validity)).toBe('409');
        },
      );

      it('is granted when what it knows is no string', async () => {
        await show('a');
        await redis.rpush(keys.validity, 'x');
        expect(await acquire('a:1')).toMatchObject({ kind: 'granted' });
        expect(await redis.get(keys.validity)).toBe('409');
      });
    });

    it('ends when the server has restarted since it was confirmed, and may have lost the claim of a successor', async () => {
      await show('a');
      const term = await termOf('a:1');
      const uptime = Number(/uptime_in_seconds:(\d+)/.exec(await redis.info('server'))![1]);
      const claimed = { owner: 'a:1', candidateId: 'a', term };
      const before = await look();
      expect(await store.confirm({ ...claimed, lapsedFor: (uptime + 60) * 1_000 })).toMatchObject({
        kind: 'restarted',
      });
      expect(await look()).toMatchObject({ seq: before.seq });
      expect(await store.confirm({ ...claimed, lapsedFor: 0 })).toMatchObject({ kind: 'granted' });
      // A server that tests start for themselves may have started just before.
      if (uptime > 3)
        expect(await store.confirm({ ...claimed, lapsedFor: 500 })).toMatchObject({ kind: 'granted' });
    });

    it('is granted with a new term when the server has restarted since it was claimed first', async () => {
      await show('a');
      const term = await termOf('a:1');
      const uptime = Number(/uptime_in_seconds:(\d+)/.exec(await redis.info('server'))![1]);
      expect(await acquire('a:1')).toMatchObject({ kind: 'granted', term });
      const again = await store.acquire({ ...claimant('a:1'), claimedFor: (uptime + 60) * 1_000 });
      expect(again.kind === 'granted' && again.term).toBeGreaterThan(term);
      expect(await look()).toMatchObject({ owner: 'a:1', seq: '1' });
    });
  });
