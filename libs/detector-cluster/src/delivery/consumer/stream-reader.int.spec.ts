import { randomUUID } from 'node:crypto';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { CutProxy } from '../../../../election/src/test-support/cut-proxy.js';
import { clusterKeys } from '../../redis/cluster-keys.js';
import { DELIVERY_GROUP } from '../delivery-defaults.js';
import { Acknowledger } from './acknowledger.js';
import { consumerDefaults } from './consumer-options.js';
import { DetectionWindow } from './detection-window.js';
import { ReadOutage } from './read-outage.js';
import type { StreamEntry } from './stream-entry.js';
import { StreamReader } from './stream-reader.js';

const PATIENCE = 20_000;
/** How long replies to the reader are under way once its connection is slow. Milliseconds. */
const SLOW = 1_000;
const onEvent = () => undefined;
const now = () => performance.now();
const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

describe.each(servers)('a reader whose connection is cut (%s)', (url) => {
  const keys = clusterKeys(`{${randomUUID()}}:`);
  const stream = keys.slave('a');
  const ended = new AbortController();
  const handled: StreamEntry[] = [];
  let finish: (() => void) | undefined;
  let redis: Redis;
  let proxy: CutProxy;

  beforeEach(async () => {
    redis = openRedis(url, { ...commandSettings, enableOfflineQueue: true });
    await redis.xgroup('CREATE', stream, DELIVERY_GROUP, '0', 'MKSTREAM');
    proxy = await CutProxy.to(Number(new URL(url).port));
  });
  afterEach(async () => {
    ended.abort();
    finish?.();
    await proxy.close();
    closeRedis(redis);
  });

  const add = (id: string) => {
    const data = { subscriptionIdentifier: 'd;c', timestamp: '2026-01-01T00:00:00Z', data: {} };
    const message = { id, type: 'detection', for: 'owner', workerUrl: 'ws://w', timestamp: '', data };
    return redis.xadd(stream, id, 'message', JSON.stringify(message));
  };
  /** How often Redis has given each entry that is not acknowledged. */
  const given = async () =>
    ((await redis.xpending(stream, DELIVERY_GROUP, '-', '+', 10)) as [string, string, number, number][]).map(
      ([, , , times]) => times,
    );

  it('does not handle again what was finished while Redis gave it once more', async () => {
    const { signal } = ended;
    const options = consumerDefaults;
    const acknowledger = new Acknowledger({
      redis,
      keys,
      processId: 'a',
      options,
      onEvent,
      onConfirmed: (id) => window.forget(id),
    });
    const window: DetectionWindow = new DetectionWindow({
      options,
      acknowledger,
      onEvent,
      handle: async (entry) => {
        handled.push(entry);
        if (handled.length === 1) await new Promise<void>((resolve) => (finish = resolve));
        acknowledger.finished(entry.id);
      },
      fetch: () => Promise.reject(new Error('nothing is parked')),
      now,
      signal,
    });
    const reader = new StreamReader({
      redis: `redis://127.0.0.1:${proxy.port}`,
      stream,
      options,
      window,
      outage: new ReadOutage(now),
      createStream: () => Promise.reject(new Error('it exists')),
      onEvent,
      signal,
    });
    reader.start();
    await add('1-1');
    await eventually('the first', PATIENCE, () => handled.length === 1);

    proxy.delay = SLOW;
    proxy.cutOnce();
    await eventually('given once more', PATIENCE, async () => (await given())[0] === 2);
    finish!();
    await eventually('confirmed', PATIENCE, () => acknowledger.unconfirmed === 0 && window.size === 0);
    await add('1-2');
    await eventually('what follows', PATIENCE, () => handled.some(({ id }) => id === '1-2'));
    expect(handled.map(({ id }) => id)).toEqual(['1-1', '1-2']);

    ended.abort();
    await reader.stopped();
    acknowledger.close();
  });
});
