import { randomUUID } from 'node:crypto';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RedisTickRecord } from './redis-tick-record.js';

const TERM = Date.parse('2026-11-21T10:00:00Z');
/** In the past, because no tick starts before its time. */
const TICK = Date.parse('2026-11-21T10:00:30Z');

describe('RedisTickRecord', () => {
  let redis: Redis;
  let lockName: string;
  let record: RedisTickRecord;

  beforeEach(() => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    lockName = `{ticks-${randomUUID()}}`;
    record = new RedisTickRecord(redis, lockName);
  });
  afterEach(async () => {
    await redis.del(`${lockName}:cron:job`, `${lockName}:cron:other`);
    closeRedis(redis);
  });

  const start = async (tick: number, term = TERM, run: string = randomUUID()) =>
    (await record.start({ job: 'job', tick, term, run })).outcome;
  const enter = async (term: number) => (await record.enter('job', term))?.tick ?? null;

  it('starts each tick once, and no tick earlier than a started one', async () => {
    expect(await start(TICK)).toBe('started');
    expect(await start(TICK)).toBe('repeated');
    expect(await start(TICK - 1)).toBe('repeated');
    expect(await start(TICK + 1)).toBe('started');
    expect(await record.start({ job: 'other', tick: TICK, term: TERM, run: '1' })).toMatchObject({
      outcome: 'started',
    });
  });

  it('gives the same answer to a retry after a lost answer', async () => {
    expect(await start(TICK, TERM, 'run')).toBe('started');
    expect(await start(TICK, TERM, 'run')).toBe('started');
    expect(await start(TICK + 1, TERM, 'next')).toBe('started');
    expect(await start(TICK, TERM, 'run')).toBe('repeated');
  });

  it('refuses every start by a master of an earlier term', async () => {
    expect(await start(TICK, TERM + 1)).toBe('started');
    expect(await start(TICK + 10, TERM)).toBe('deposed');
    expect(await start(TICK + 10, TERM + 2)).toBe('started');
  });

  it('grants a tick to one of a hundred concurrent requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => start(TICK)));
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
  });

  it('shows a new master where to catch up from, and refuses further starts by its predecessor', async () => {
    const before = Date.now();
    const first = (await enter(TERM))!;
    expect(first).toBeGreaterThanOrEqual(before);
    expect(await enter(TERM)).toBe(first);
    await redis.hset(`${lockName}:cron:job`, 'tick', TICK);
    expect(await start(TICK + 10)).toBe('started');
    expect(await enter(TERM + 1)).toBe(TICK + 10);
    expect(await start(TICK + 20, TERM)).toBe('deposed');
    expect(await enter(TERM)).toBeNull();
    expect(await start(TICK + 20, TERM + 1)).toBe('started');
  });

  it('refuses a tick that is not due by the clock of Redis, and records nothing', async () => {
    const now = Date.now();
    const early = await record.start({ job: 'job', tick: now + 5_000, term: TERM, run: 'early' });
    expect(early.outcome).toBe('early');
    expect(Math.abs(early.now - now)).toBeLessThan(1_000);
    expect(await redis.exists(`${lockName}:cron:job`)).toBe(0);
    expect(await start(now)).toBe('started');
  });

  it('ignores a recorded tick that is far ahead because the clock of Redis was set back', async () => {
    const now = Date.now();
    await enter(TERM);
    await redis.hset(`${lockName}:cron:job`, 'tick', now + 3_600_000, 'term', TERM, 'run', 'x');
    expect(await start(now)).toBe('started');
    await redis.hset(`${lockName}:cron:job`, 'tick', now + 3_600_000);
    expect(await enter(TERM)).toBeLessThan(now + 10_000);
  });
});
