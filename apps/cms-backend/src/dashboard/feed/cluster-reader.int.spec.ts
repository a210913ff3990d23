import { clusterKeys } from '@detector-cluster/detector-cluster/store';
import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { eventually } from '../../fixtures/eventually.fixture.js';
import { ClusterReader } from './cluster-reader.js';

const SINCE = '2026-01-01T00:00:00.000Z';

const WORKER = {
  online: true,
  state: 'Ready',
  standing: 'open',
  problem: null,
  excess: { pauses: 1, dropped: 2, oversized: 3 },
  cpuUsage: 12.6,
  memoryUsage: null,
  gpuUsage: null,
  gpuMemoryUsage: 0.4,
  subscriptionCount: 2,
  connectedAt: SINCE,
};

const actual = (assignedWorkerUrl: string, more: object = {}) =>
  JSON.stringify({
    assignedWorkerUrl,
    status: 'active',
    reason: 'running',
    since: SINCE,
    specHash: '1',
    ...more,
  });

describe('the records of the master', () => {
  let redis: Redis;
  let keys: ReturnType<typeof clusterKeys>;
  let reader: ClusterReader;
  let reads: string[];

  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    keys = clusterKeys(`${randomPrefix()}:`);
    reader = new ClusterReader(keys, () => new Map([['ws://a', 30]]), 10_000);
    reads = [];
  });

  const read = () =>
    reader.read({
      get: (key: string) => redis.get(key),
      hscan: (...args: Parameters<Redis['hscan']>) => {
        reads.push(String(args[0]));
        return redis.hscan(...args);
      },
    } as Pick<Redis, 'get' | 'hscan'>);

  it('become rows, without unreadable records', async () => {
    await redis.hset(keys.connections, {
      'ws://a': JSON.stringify({ ...WORKER, drainTotal: 4 }),
      'ws://b': JSON.stringify({ ...WORKER, subscriptionCount: 0, connectedAt: '' }),
      'ws://c': JSON.stringify({ ...WORKER, state: 'Dreaming' }),
      'ws://d': '{',
    });
    await redis.hset(keys.assignments, { 10: 'n1', 2: 'n1', 0: 'n2', 'ws://a': 'n1' });
    await redis.hset(keys.actual, {
      'd1;c': actual('ws://a'),
      'd2;c': actual('ws://a', { status: 'failed' }),
      'd3;c': actual('', { status: 'pending' }),
      'd4;c': '[]',
    });
    await redis.hset(keys.desired, {
      'd1;c': '{"modelName":"zebra"}',
      'd2;c': '{"modelName":"ant"}',
      'd3;c': '{"modelName":"unplaced"}',
    });
    await redis.hset(keys.skipped, { d9: '{"reason":"no-model","detail":"why"}', d8: 'null' });
    await read();
    expect({ ...reader.workers() }).toEqual({
      'ws://a': {
        url: 'ws://a',
        online: true,
        state: 'Ready',
        standing: 'open',
        problem: null,
        excess: { pauses: 1, dropped: 2, oversized: 3 },
        drainTotal: 4,
        cpuUsage: 13,
        memoryUsage: null,
        gpuUsage: null,
        gpuMemoryUsage: 0,
        capacity: 30,
        subscriptionCount: 2,
        models: ['ant', 'zebra'],
        connectedAt: SINCE,
      },
      'ws://b': expect.objectContaining({ capacity: null, models: [], connectedAt: null, drainTotal: null }),
    });
    const subscriptions = reader.subscriptions!;
    expect(Object.keys(subscriptions).sort()).toEqual(['d1;c', 'd2;c', 'd3;c']);
    expect(subscriptions['d2;c']).toEqual({
      subscriptionIdentifier: 'd2;c',
      workerUrl: 'ws://a',
      model: 'ant',
      status: 'failed',
      reason: 'running',
      since: SINCE,
    });
    expect({ ...reader.skipped }).toEqual({ d9: { displayId: 'd9', reason: 'no-model', detail: 'why' } });
    expect(reader.partitions()).toEqual(
      new Map([
        ['n1', [2, 10]],
        ['n2', [0]],
      ]),
    );
  });

  it('are read for models only when subscriptions have changed', async () => {
    await redis.hset(keys.actual, 'd1;c', actual('ws://a'));
    await read();
    expect(reads).toContain(keys.desired);
    const { 'd1;c': before } = reader.subscriptions!;
    reads = [];
    await read();
    expect(reads).toContain(keys.actual);
    expect(reads).not.toContain(keys.desired);
    await redis.hset(keys.actual, 'd2;c', actual('ws://a'));
    await read();
    expect(reader.subscriptions!['d1;c']).toBe(before);
    await redis.hset(keys.actual, 'd1;c', actual('ws://a', { specHash: '2' }));
    await read();
    expect(reads).toContain(keys.desired);
  });

  it('are read less often if there are very many subscriptions', async () => {
    const record = actual('');
    for (let at = 0; at < 25_000; at += 5_000)
      await redis.hset(
        keys.actual,
        Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`d${at + i};c`, record])),
      );
    const readings: boolean[] = [];
    for (let i = 0; i < 7; i++) {
      reads = [];
      await read();
      readings.push(reads.includes(keys.actual));
    }
    expect(readings).toEqual([true, false, false, true, false, false, true]);
    await redis.del(keys.actual);
  });

  it('are not read for subscriptions whose revision is unchanged', async () => {
    const write = (specHash: string, revision: string) =>
      redis
        .multi()
        .hset(keys.actual, 'd1;c', actual('ws://a', { specHash }))
        .set(keys.actualRevision, revision)
        .exec();
    await write('1', '1');
    await read();
    expect(Object.keys(reader.subscriptions!)).toEqual(['d1;c']);
    reads = [];
    await read();
    expect(reads).not.toContain(keys.actual);
    await write('2', '2');
    await read();
    expect(reads).toContain(keys.actual);
    await redis.del(keys.actual, keys.actualRevision);
  });

  it('are known before the subscriptions if those take long, and the subscriptions follow', async () => {
    await redis.hset(keys.connections, { 'ws://a': JSON.stringify(WORKER) });
    await redis.hset(keys.actual, { 'd1;c': actual('ws://a') });
    reader = new ClusterReader(keys, () => new Map(), 20);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let failing = true;
    const slow = {
      get: (key: string) => redis.get(key),
      hscan: async (...args: Parameters<Redis['hscan']>) => {
        if (args[0] === keys.actual) {
          reads.push(String(args[0]));
          await released;
          if (failing) throw new Error('the connection broke');
        }
        return redis.hscan(...args);
      },
    } as Pick<Redis, 'get' | 'hscan'>;
    await reader.read(slow);
    await reader.read(slow);
    expect(reads).toEqual([keys.actual]);
    expect(Object.keys(reader.workers())).toEqual(['ws://a']);
    expect(reader.subscriptions).toBeNull();

    release();
    await new Promise(setImmediate);
    expect(reader.subscriptions).toBeNull();
    await expect(reader.read(slow)).rejects.toThrow('the connection broke');

    failing = false;
    await eventually(async () => {
      await reader.read(slow);
      expect(Object.keys(reader.subscriptions ?? {})).toEqual(['d1;c']);
    });
  });
});
