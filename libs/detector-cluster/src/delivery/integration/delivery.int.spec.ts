import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(30_000);

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

describe.each(servers)('delivery (%s)', (url) => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(url);
  });
  afterEach(() => cluster.close());

  it('brings every detection to its owner once and in order, and leaves nothing in Redis', async () => {
    const a = await cluster.process('a');
    const b = await cluster.process('b');
    const { router, persisted } = cluster.master();
    router.setMembers(['a', 'b']);
    router.setWorkers(['w1', 'w2']);
    await router.start();
    for (let i = 0; i < 3_000; i++) {
      cluster.send(router, 'w1', `d${i % 3};c`);
      cluster.send(router, 'w2', `e${i % 3};c`);
      if (i % 200 === 0) await sleep(1);
    }
    await until(() => cluster.delivered.length === 6_000);
    for (const n of upTo(3)) {
      expect(cluster.numbersOf(`d${n};c`)).toEqual(upTo(1_000));
      expect(cluster.numbersOf(`e${n};c`)).toEqual(upTo(1_000));
    }
    expect(persisted).toEqual([{ w1: 'a', w2: 'b' }]);
    expect(new Set(cluster.delivered.map((each) => `${each.subscription[0]}${each.processId}`))).toEqual(
      new Set(['da', 'eb']),
    );
    expect(cluster.delivered.some((each) => each.redelivered)).toBe(false);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('b'))) === 0);
    expect(router.stats()).toMatchObject({
      routed: 6_000,
      accepted: 6_000,
      buffered: 0,
      dropped: 0,
      bufferDropped: 0,
    });
    expect([a.events, b.events]).toEqual([[], []]);
  });

  it('hands over what the worker sent: unknown keys, the time, no detection', async () => {
    const { listeners } = await cluster.process('a');
    const got: unknown[] = [];
    listeners.addGlobal((detection, meta) => got.push([detection, meta]));
    const { router } = cluster.master();
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    const frame = Buffer.from(
      '{"type":"imageDetection","subscriptionIdentifier":"d;c","timestamp":"2025-07-13T12:34:56.789Z","data":{"modelId":1,"modelName":"m","extra":[1]}}',
    );
    const timestamp = '2025-07-13T12:34:57Z';
    router.route({ workerUrl: 'w', subscriptionIdentifier: 'd;c', frame, timestamp, detectionId: '1-1-1' });
    await until(() => got.length === 1);
    expect(got[0]).toEqual([
      {
        subscriptionIdentifier: 'd;c',
        timestamp: new Date('2025-07-13T12:34:56.789Z'),
        data: { detection: null, modelId: 1, modelName: 'm', extra: [1] },
      },
      { detectionId: '1-1-1', workerUrl: 'w', attempt: 0, redelivered: false },
    ]);
  });

  it('runs listeners of a subscription where they are registered, global ones at the owner only', async () => {
    const a = await cluster.process('a');
    const b = await cluster.process('b');
    const c = await cluster.process('c');
    const heard: string[] = [];
    const { router } = cluster.master({ options: { lookInterval: 60_000 } });
    router.setMembers(['a'], ['a', 'b', 'c']);
    router.setWorkers(['w']);
    await router.start();
    a.listeners.add('d;c', () => heard.push('a'));
    const remove = b.listeners.add('d;c', () => heard.push('b'));
    c.listeners.add('other;c', () => heard.push('c'));
    await Promise.all([a.registry.announce(), b.registry.announce(), c.registry.announce()]);
    cluster.send(router, 'w', 'd;c');
    await until(() => heard.length === 2 && cluster.delivered.length === 1);
    expect(heard.sort()).toEqual(['a', 'b']);
    expect(cluster.delivered).toMatchObject([{ processId: 'a' }]);

    remove();
    await b.registry.announce();
    cluster.send(router, 'w', 'd;c');
    await until(() => heard.length === 3 && cluster.delivered.length === 2);
    await sleep(50);
    expect(heard.at(-1)).toBe('a');
    expect(heard).toHaveLength(3);
    expect(router.stats().accepted).toBe(3);
    expect([a.warnings, b.warnings, c.warnings]).toEqual([[], [], []]);
  });

  it('announces an interest with a warning where there is no master, and the next master knows it', async () => {
    const { listeners, registry, warnings } = await cluster.process('b');
    await cluster.process('a');
    let heard = 0;
    listeners.add('d;c', () => heard++);
    await registry.announce();
    expect(warnings).toHaveLength(1);
    const { router } = cluster.master();
    router.setMembers(['a'], ['a', 'b']);
    router.setWorkers(['w']);
    cluster.send(router, 'w', 'd;c');
    await router.start();
    await until(() => heard === 1);
    await registry.announce();
    expect(warnings).toHaveLength(1);
  });

  it('writes nothing while the lease is not valid, and catches up afterwards', async () => {
    let valid = true;
    await cluster.process('a');
    const { router } = cluster.master({ isValid: () => valid });
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    valid = false;
    for (let i = 0; i < 10; i++) cluster.send(router, 'w');
    expect(await router.drainFor(100)).toBe(10);
    expect(cluster.delivered).toHaveLength(1);
    valid = true;
    await until(() => cluster.delivered.length === 11);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(11));
  });

  it('refuses a deposed master once its successor has written, counts and reports what it did not deliver', async () => {
    await cluster.process('a');
    const old = cluster.master();
    const successor = cluster.master();
    for (const { router } of [old, successor]) {
      router.setMembers(['a']);
      router.setWorkers(['w', 'v']);
      await router.start();
    }
    cluster.send(old.router, 'w');
    await until(() => cluster.delivered.length === 1);
    cluster.send(successor.router, 'w');
    await until(() => cluster.delivered.length === 2);
    for (let i = 0; i < 5; i++) cluster.send(old.router, 'v', 'late;c');
    await until(() => old.events.some(({ type }) => type === 'discarded'));
    expect(old.events.slice(-2)).toEqual([{ type: 'deposed' }, { type: 'discarded', count: 5 }]);
    cluster.send(old.router, 'v', 'late;c');
    expect(old.router.stats()).toMatchObject({ discarded: 6, accepted: 1, buffered: 0 });
    cluster.send(successor.router, 'w');
    await until(() => cluster.delivered.length === 3);
    expect(cluster.numbersOf('late;c')).toEqual([]);
    expect(cluster.numbersOf('w;camera')).toEqual([0, 1, 2]);
  });

  it('finds a worker that nobody announced an owner', async () => {
    await cluster.process('a');
    const { router } = cluster.master();
    router.setMembers(['a']);
    await router.start();
    cluster.send(router, 'stranger');
    await until(() => cluster.delivered.length === 1);
    expect(router.stats().assignments).toEqual({ stranger: 'a' });
  });

  it('waits for members that become known after the start, and takes nothing from them', async () => {
    const a = await cluster.process('a');
    const { router, events } = cluster.master();
    router.setWorkers(['w']);
    await router.start();
    cluster.send(router, 'w');
    await sleep(50);
    expect(router.stats()).toMatchObject({ accepted: 0, buffered: 1 });
    router.setMembers(['a']);
    await until(() => cluster.delivered.length === 1);
    expect(a.events).toEqual([]);
    expect(events).toEqual([{ type: 'owner-changed', workerUrl: 'w', from: null, to: 'a' }]);
  });

  it('stops at once though nobody reads and Redis has work waiting', async () => {
    const { consumer } = await cluster.process('a', {}, () => sleep(20));
    const { router } = cluster.master();
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    for (let i = 0; i < 200; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length >= 3);
    await consumer.stop();
    const started = cluster.delivered.length;
    await sleep(60);
    expect(cluster.delivered).toHaveLength(started);
    // What was finished is confirmed, what was not is left for the successor.
    expect(await cluster.redis.xlen(cluster.keys.slave('a'))).toBe(200 - started);
  });
});
