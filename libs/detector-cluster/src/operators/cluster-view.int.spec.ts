import { setImmediate as turn } from 'node:timers/promises';
import { closeRedis } from '@detector-cluster/election/redis';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clusterKeys } from '../shared/cluster-keys.js';
import { ClusterView } from './cluster-view.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

const stateOf = (url: string, subscriptions: string[], cpuUsage = 1) => ({ url, subscriptions, cpuUsage });

const actual = (id: string, status: string) =>
  JSON.stringify({ subscriptionIdentifier: id, status, reason: 'streaming', since: '' });

describe('ClusterView', () => {
  const redis = openPatientRedis(process.env.REDIS_URL!);
  const keys = clusterKeys(`{test-${randomUUID()}}:`);
  afterAll(async () => {
    await redis.del(keys.connections, keys.streams, keys.streamsRevision);
    closeRedis(redis);
  });
  beforeEach(() => redis.del(keys.connections, keys.streams, keys.streamsRevision));

  const write = (url: string, { subscriptions, ...record }: ReturnType<typeof stateOf>) =>
    redis
      .multi()
      .hset(keys.streams, url, JSON.stringify(subscriptions))
      .hset(keys.connections, url, JSON.stringify(record))
      .exec();

  it('reads the present workers, and callers cannot change what others get', async () => {
    const view = new ClusterView(redis, keys);
    await write('ws://b', stateOf('ws://b', ['d;1', 'd;2']));
    await write('ws://a', stateOf('ws://a', []));
    const workers = await view.workers();
    const [, last] = workers as [unknown, { url: string; subscriptions: string[] }];
    expect(() => last.subscriptions.push('mine')).toThrow(TypeError);
    expect(() => (last.url = 'mine')).toThrow(TypeError);
    workers.length = 0;
    expect(await view.workers()).toEqual([stateOf('ws://a', []), stateOf('ws://b', ['d;1', 'd;2'])]);

    await write('ws://b', stateOf('ws://b', ['d;2'], 90));
    await redis.hdel(keys.connections, 'ws://a');
    expect(await view.workers()).toEqual([stateOf('ws://b', ['d;2'], 90)]);
    // The field disappears and returns unchanged.
    await write('ws://a', stateOf('ws://a', []));
    expect(await view.workers()).toHaveLength(2);
  });

  it('shares one read between many callers, and each gets what was written before', async () => {
    const view = new ClusterView(redis, keys);
    const reading = vi.spyOn(redis, 'hscan');
    const first = view.workers();
    await turn();
    const writing = write('ws://a', stateOf('ws://a', []));
    const answers = await Promise.all(Array.from({ length: 50 }, () => view.workers()));
    const reads = reading.mock.calls.length;
    reading.mockRestore();
    await Promise.all([first, writing]);
    expect(answers.every((workers) => workers.length === 1)).toBe(true);
    // Callers share the states, and each has a list of its own.
    expect(new Set(answers).size).toBe(50);
    expect(new Set(answers.map(([worker]) => worker)).size).toBeLessThanOrEqual(2);
    // Two reads of two hashes.
    expect(reads).toBe(4);
  });

  it('reads the lists of subscriptions again when their revision has changed', async () => {
    const view = new ClusterView(redis, keys);
    const reads = async (): Promise<unknown[]> => {
      const reading = vi.spyOn(redis, 'hscan');
      const [worker] = await view.workers();
      const scanned = reading.mock.calls.map(([key]) => key);
      reading.mockRestore();
      return [worker!.subscriptions, scanned.includes(keys.streams)];
    };
    await redis.set(keys.streamsRevision, '1-1');
    await write('ws://a', stateOf('ws://a', ['d;1']));
    expect(await reads()).toEqual([['d;1'], true]);
    await write('ws://a', stateOf('ws://a', ['d;2'], 2));
    // The master has written the list, and not its revision.
    expect(await reads()).toEqual([['d;1'], false]);
    await redis.set(keys.streamsRevision, '1-2');
    expect(await reads()).toEqual([['d;2'], true]);
    expect(await reads()).toEqual([['d;2'], false]);
    // Redis has lost it.
    await redis.del(keys.streamsRevision);
    await write('ws://a', stateOf('ws://a', ['d;3'], 3));
    expect(await reads()).toEqual([['d;3'], true]);
    expect(await reads()).toEqual([['d;3'], true]);
  });

  it('counts subscriptions by status, and reads them only when their revision has changed', async () => {
    const view = new ClusterView(redis, keys);
    const reading = vi.spyOn(redis, 'hscan');
    const none = { active: 0, pending: 0, recovering: 0, failed: 0 };
    await redis.set(keys.actualRevision, '1-1');
    await redis.hset(keys.actual, {
      'd1;c': actual('d1;c', 'active'),
      'd2;c': actual('d2;c', 'active'),
      'd3;c': actual('d3;c', 'failed'),
      'd4;c': actual('d4;c', 'dreaming'),
      'd5;c': '{',
    });
    expect(await view.subscriptionsByStatus()).toEqual({ ...none, active: 2, failed: 1 });
    reading.mockClear();
    expect(await view.subscriptionsByStatus()).toEqual({ ...none, active: 2, failed: 1 });
    expect(reading).not.toHaveBeenCalled();
    await redis.hset(keys.actual, 'd3;c', actual('d3;c', 'active'));
    await redis.set(keys.actualRevision, '1-2');
    expect(await view.subscriptionsByStatus()).toEqual({ ...none, active: 3 });
    // Redis has lost it.
    await redis.del(keys.actualRevision);
    await redis.hdel(keys.actual, 'd3;c');
    expect(await view.subscriptionsByStatus()).toEqual({ ...none, active: 2 });
    await redis.hdel(keys.actual, 'd2;c');
    expect(await view.subscriptionsByStatus()).toEqual({ ...none, active: 1 });
    reading.mockRestore();
    await redis.del(keys.actual);
  });

  it('parses unchanged values once, and skips invalid JSON', async () => {
    const view = new ClusterView(redis, keys);
    const urls = ['ws://a', 'ws://b', 'ws://c'];
    for (const url of urls) await write(url, stateOf(url, ['d;1']));
    await redis.hset(keys.connections, 'ws://broken', '{');
    await view.workers();
    await write('ws://b', stateOf('ws://b', ['d;1'], 2));
    const parsing = vi.spyOn(JSON, 'parse');
    const workers = await view.workers();
    const parsed = parsing.mock.calls.map(([text]) => text);
    parsing.mockRestore();
    expect(workers.map(({ url }) => url)).toEqual(urls);
    expect(parsed).toEqual([JSON.stringify({ url: 'ws://b', cpuUsage: 2 })]);
  });

  it('follows the records, without those that another program has written', async () => {
    const { workers, assignments, subscriptions, skipped, models } = new ClusterView(redis, keys).follow();
    await write('ws://a', stateOf('ws://a', []));
    await redis.hset(keys.connections, 'ws://b', '{');
    await redis.hset(keys.assignments, { 10: 'n1', 'ws://a': 'n1' });
    await redis.hset(keys.actual, {
      'd1;c': actual('d1;c', 'active'),
      'd2;c': actual('d1;c', 'active'),
      'd3;c': actual('d3;c', 'dreaming'),
      'd4;c': '[]',
    });
    await redis.hset(keys.skipped, { d9: '{"reason":"no-model","detail":"why"}', d8: 'null' });
    await redis.hset(keys.desired, { 'd1;c': '{"modelName":"zebra"}', 'd2;c': '{"modelName":7}' });
    expect([...(await workers.read())]).toEqual([['ws://a', { url: 'ws://a', cpuUsage: 1 }]]);
    expect([...(await assignments.read())]).toEqual([['10', 'n1']]);
    expect([...(await subscriptions.read()).keys()]).toEqual(['d1;c']);
    expect([...(await skipped.read())]).toEqual([['d9', { reason: 'no-model', detail: 'why' }]]);
    expect([...(await models.read())]).toEqual([['d1;c', { name: 'zebra', version: null }]]);
    await redis.del(keys.assignments, keys.actual, keys.skipped, keys.desired);
  });
});
