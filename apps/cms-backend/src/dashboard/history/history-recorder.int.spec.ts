import { HISTORY_RANGES, RESOLUTIONS } from '@detector-cluster/dashboard-protocol';
import { clusterKeys, FencedStore } from '@detector-cluster/detector-cluster/store';
import { availableRedisGenerations, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { TIMEOUT } from '../../eventually.fixture.js';
import { encodeRecord } from './history-record.js';
import { HistoryRecorder, type HistorySample } from './history-recorder.js';
import { fullestRecord, urlsOf } from './history.fixture.js';
import { historyKeys, slotOf, type HistoryKeys } from './history-keys.js';
import { readHistory } from './history.controller.js';
import { MAX_LINES, WorkerLines } from './worker-lines.js';

/** The limit that the README promises. Bytes. */
const MAX_MEMORY = 320_000;

const NOW = Date.UTC(2026, 0, 1, 12);
const SECOND = 1_000;

const active = (count: number) => ({ active: count, pending: 0, recovering: 0, failed: 0 });

const sample = (more: Partial<HistorySample> = {}): HistorySample => ({
  detectionsPerSecond: 2,
  lagMs: 10,
  subscriptions: active(7),
  loads: new Map([
    ['ws://b', 40],
    ['ws://a', 20],
  ]),
  ...more,
});

describe.each(await availableRedisGenerations())('the history in Redis, generation %s', (generation) => {
  let server: RedisService;
  let redis: Redis;
  let prefix: string;
  let keys: HistoryKeys;
  const setAside: string[] = [];
  beforeAll(async () => {
    server = await startRedis({ generation });
    redis = new Redis(server.url);
  }, TIMEOUT);
  afterAll(async () => {
    redis.disconnect();
    await server?.stop();
  }, TIMEOUT);
  beforeEach(() => {
    prefix = `${randomPrefix()}:`;
    keys = historyKeys(prefix);
  });

  const master = (term: number) =>
    new HistoryRecorder(new FencedStore(redis, clusterKeys(prefix).fence, term), keys, (message) =>
      setAside.push(message),
    );

  it('has an interval for each sample, and sums them up over longer ranges', async () => {
    const recorder = master(1);
    for (let n = 0; n < 8; n++)
      await recorder.record(
        sample({ detectionsPerSecond: n, subscriptions: active(n < 4 ? 7 : 5) }),
        NOW + n * 5 * SECOND,
      );
    const until = NOW + 40 * SECOND;
    const short = await readHistory(redis, keys, '15m', until);
    expect(short).toMatchObject({ range: '15m', step: 5_000, workers: ['ws://a', 'ws://b'] });
    expect(short.points.map(({ detectionsPerSecond }) => detectionsPerSecond)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
    expect(short.points[0]).toEqual({
      at: new Date(NOW).toISOString(),
      detectionsPerSecond: 0,
      lagMs: 10,
      meanLoad: 30,
      highestLoad: 40,
      loads: [20, 40],
      subscriptions: { active: 7, pending: 0, recovering: 0, failed: 0 },
      failovers: 1,
    });
    const { points } = await readHistory(redis, keys, '1h', until);
    expect(points.map(({ detectionsPerSecond }) => detectionsPerSecond)).toEqual([1.5, 5.5]);
    expect(points.map(({ failovers }) => failovers)).toEqual([1, 0]);
    const [day] = (await readHistory(redis, keys, '24h', until)).points;
    expect(day).toMatchObject({ detectionsPerSecond: 3.5, subscriptions: { active: 6 } });
  });

  it('continues the interval of the previous master, and counts the failover', async () => {
    await master(1).record(sample({ detectionsPerSecond: 1 }), NOW);
    await master(2).record(
      sample({ detectionsPerSecond: 3, loads: new Map([['ws://b', 60]]) }),
      NOW + 5 * SECOND,
    );
    const [point, ...others] = (await readHistory(redis, keys, '24h', NOW + 10 * SECOND)).points;
    expect(others).toEqual([]);
    expect(point).toMatchObject({ detectionsPerSecond: 2, failovers: 2, loads: [20, 50] });
  });

  it('accepts nothing from a deposed master', async () => {
    const deposed = master(1);
    expect(await deposed.record(sample(), NOW)).toBe(true);
    expect(await master(2).record(sample({ detectionsPerSecond: 5 }), NOW + 5 * SECOND)).toBe(true);
    const before = await readHistory(redis, keys, '15m', NOW);
    expect(await deposed.record(sample({ detectionsPerSecond: 99 }), NOW + 10 * SECOND)).toBe(false);
    expect(await readHistory(redis, keys, '15m', NOW)).toEqual(before);
  });

  it('shows nothing that is older than its range, and nothing that cannot be read', async () => {
    const recorder = master(1);
    await recorder.record(sample(), NOW);
    const later = NOW + 3_640 * SECOND;
    await recorder.record(sample(), later);
    await redis.hset(keys.ring('1h'), { 200: '{', 201: '[]' });
    expect(await redis.hlen(keys.ring('1h'))).toBe(4);
    await redis.set(keys.lines, 'rubbish');
    const read = await readHistory(redis, keys, '1h', later + 10 * SECOND);
    expect(read.points.map(({ at }) => at)).toEqual([new Date(later).toISOString()]);
    expect(read.workers).toEqual([]);
  });

  it('is written again after another program has changed the type of its keys', async () => {
    const recorder = master(1);
    const all = [...HISTORY_RANGES.map((range) => keys.ring(range)), keys.lines];
    for (const when of ['before the first sample', 'later']) {
      setAside.length = 0;
      for (const key of all) await redis.multi().del(key).rpush(key, 'of another program').exec();
      await expect(recorder.record(sample(), NOW), when).rejects.toThrow('WRONGTYPE');
      await recorder.repair();
      expect(await recorder.record(sample(), NOW), when).toBe(true);
      expect(all.filter((key) => !setAside.some((message) => message.includes(`${key} a list`)))).toEqual([]);
    }
  });

  it('never takes more memory than documented', async () => {
    for (const range of HISTORY_RANGES) {
      const { span, step } = RESOLUTIONS[range];
      // Twice around the ring.
      for (let at = NOW; at < NOW + 2 * span; at += step)
        await redis.hset(keys.ring(range), slotOf(range, at), encodeRecord(fullestRecord(at)));
      expect(await redis.hlen(keys.ring(range))).toBe(span / step);
    }
    const lines = new WorkerLines(null);
    lines.arrange(new Map(urlsOf(2 * MAX_LINES).map((url) => [url, 1])), NOW);
    await redis.set(keys.lines, lines.encode());
    const all = [...HISTORY_RANGES.map((range) => keys.ring(range)), keys.lines];
    const sizes = await Promise.all(
      all.map(async (key) => Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0))),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.info(`the fullest history takes ${total} bytes in Redis ${generation}: ${sizes.join(', ')}`);
    expect(total).toBeGreaterThan(MAX_MEMORY / 2);
    expect(total).toBeLessThanOrEqual(MAX_MEMORY);
  });
});
