import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

describe.each(servers)('delivery (%s)', (url) => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(url);
  });
  afterEach(() => cluster.close());

  it('brings every detection to the owner of its partition once and in order, and leaves nothing in Redis', async () => {
    const a = await cluster.process('a');
    const b = await cluster.process('b');
    const { router } = cluster.master();
    router.setMembers(['a', 'b']);
    await router.start();
    for (let i = 0; i < 3_000; i++) {
      cluster.send(router, 'w1', `d${i % 3};c`);
      cluster.send(router, 'w2', `e${i % 3};c`);
      if (i % 200 === 0) await sleep(1);
    }
    await until(() => cluster.delivered.length === 6_000 && router.stats().buffered === 0);
    for (const n of upTo(3)) {
      expect(cluster.numbersOf(`d${n};c`)).toEqual(upTo(1_000));
      expect(cluster.numbersOf(`e${n};c`)).toEqual(upTo(1_000));
    }
    expect(cluster.delivered.some((each) => each.redelivered)).toBe(false);
    expect(a.consumer.stats().partitions).toHaveLength(16);
    expect(b.consumer.stats().partitions).toHaveLength(16);
    await until(async () => (await cluster.backlog()) === 0);
    expect(router.stats()).toMatchObject({
      routed: 6_000,
      accepted: 6_000,
      buffered: 0,
      dropped: 0,
      bufferDropped: 0,
      unheard: 0,
    });
    // Redis may be slow on a busy machine; nothing else may fail.
    const losses = [...a.events, ...b.events].filter(
      ({ type }) => !type.startsWith('partition-') && type !== 'redis-error',
    );
    expect(losses).toEqual([]);
  });

  it('counts the bytes of the backlog exactly', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    await cluster.process('a', {}, () => gate);
    const { router } = cluster.master({ options: { partitions: 2 } });
    router.setMembers(['a']);
    await router.start();
    for (let i = 0; i < 500; i++) cluster.send(router, 'w', `d${i % 5};c`, { filler: 'ä'.repeat(i % 7) });
    await until(() => router.stats().accepted === 500);
    const counted = async () => {
      const sums = await Promise.all(
        upTo(2).map(async (partition) => {
          const stream = cluster.keys.partition(partition);
          const entries = await cluster.redis.xrangeBuffer(stream, '-', '+');
          const bytes = entries.reduce((sum, [, fields]) => sum + fields[3]!.length, 0);
          return [bytes, Number(await cluster.redis.hget(`${stream}:owner`, 'bytes'))];
        }),
      );
      return { real: sums.map(([real]) => real), recorded: sums.map(([, recorded]) => recorded) };
    };
    const full = await counted();
    expect(full.recorded).toEqual(full.real);
    open!();
    await until(async () => (await cluster.backlog()) < 200);
    const { real, recorded } = await counted();
    // Some more may have been acknowledged between the two reads.
    for (const [i, bytes] of recorded.entries()) expect(bytes).toBeLessThanOrEqual(real[i]!);
    await until(async () => (await cluster.backlog()) === 0);
    expect((await counted()).recorded).toEqual([0, 0]);
  });

  it('shows how full the logs are to a new master too, and after the last entry was written', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    await cluster.process('a', {}, () => gate);
    const options = { partitions: 1, maxBacklogEntries: 100, lookInterval: 50 };
    const stream = cluster.keys.partition(0);
    const first = cluster.master({ options });
    first.router.setMembers(['a']);
    await first.router.start();
    for (let i = 0; i < 50; i++) cluster.send(first.router, 'w');
    await until(() => first.router.stats().accepted === 50);
    expect(first.router.stats().logs[stream]).toMatchObject({ entries: 50, fill: 0.5 });
    first.router.close();

    const second = cluster.master({ options });
    second.router.setMembers(['a']);
    await second.router.start();
    expect(second.router.stats().logs[stream]).toMatchObject({ entries: 50, fill: 0.5 });
    open!();
    await until(() => second.router.stats().logs[stream]!.entries === 0);
    expect(second.router.stats().logs[stream]).toMatchObject({ bytes: 0, fill: 0 });
  });

  it('hands over what the worker sent: unknown keys, the time, no detection', async () => {
    const a = await cluster.process('a', {}, undefined, { global: false });
    const got: unknown[] = [];
    a.listeners.addGlobal((detection, { signal, ...meta }) => {
      expect(signal.aborted).toBe(false);
      got.push([detection, meta]);
    });
    const { router } = cluster.master();
    router.setMembers(['a']);
    await router.start();
    await cluster.announced(a);
    const frame = Buffer.from(
      '{"type":"imageDetection","subscriptionIdentifier":"d;c","timestamp":"2025-07-13T12:34:56.789Z","data":{"modelId":1,"modelName":"m","extra":[1]}}',
    );
    const receivedAt = Date.UTC(2025, 6, 13, 12, 34, 57);
    router.route({ detectionId: '1-1-1', workerUrl: 'w', subscriptionIdentifier: 'd;c', receivedAt, frame });
    await until(() => got.length === 1);
    expect(got[0]).toEqual([
      {
        subscriptionIdentifier: 'd;c',
        timestamp: new Date('2025-07-13T12:34:56.789Z'),
        data: { detection: null, modelId: 1, modelName: 'm', extra: [1] },
      },
      { detectionId: '1-1-1', workerUrl: 'w', receivedAt, attempt: 0, redelivered: false },
    ]);
  });

  it('runs listeners of a subscription where they are registered, global ones at the owner only', async () => {
    const a = await cluster.process('a');
    const b = await cluster.process('b', {}, undefined, { global: false });
    const c = await cluster.process('c', {}, undefined, { global: false });
    const heard: string[] = [];
    const { router } = cluster.master({ options: { lookInterval: 60_000 } });
    router.setMembers(['a', 'b', 'c']);
    await router.start();
    a.listeners.add('d;c', () => heard.push('a'));
    const callback = () => heard.push('b');
    b.listeners.add('d;c', callback);
    c.listeners.add('other;c', () => heard.push('c'));
    await Promise.all([a, b, c].map((process) => cluster.announced(process)));
    cluster.send(router, 'w', 'd;c');
    await until(() => heard.length === 2 && cluster.delivered.length === 1 && router.stats().buffered === 0);
    expect(heard.sort()).toEqual(['a', 'b']);
    expect(cluster.delivered).toMatchObject([{ processId: 'a' }]);
    // A copy counts as accepted for itself.
    expect(router.stats().accepted).toBe(3);
    expect(new Set(await cluster.owners())).toEqual(new Set(['a']));

    b.listeners.remove('d;c', callback);
    await cluster.announced(b);
    cluster.send(router, 'w', 'd;c');
    await until(() => heard.length === 3 && cluster.delivered.length === 2);
    await sleep(50);
    expect(heard.at(-1)).toBe('a');
    expect(heard).toHaveLength(3);
  });

  it('writes nothing to partitions while no process has a global listener, and counts unheard detections', async () => {
    const a = await cluster.process('a', {}, undefined, { global: false });
    const heard: string[] = [];
    a.listeners.add('d;c', ({ subscriptionIdentifier }) => heard.push(subscriptionIdentifier));
    a.listeners.observe(() => heard.push('observer'));
    const { router } = cluster.master();
    router.setMembers(['a']);
    await router.start();
    await cluster.announced(a);
    cluster.send(router, 'w', 'd;c');
    cluster.send(router, 'w', 'e;c');
    await until(() => heard.length === 1 && router.stats().buffered === 0);
    expect(heard).toEqual(['d;c']);
    expect(router.stats()).toMatchObject({ accepted: 1, unheard: 1 });
    expect(await cluster.owners()).toEqual(Array.from({ length: 32 }, () => ''));
  });

  it('writes nothing while the lease is not valid, and catches up afterwards', async () => {
    let valid = true;
    let refusals = 0;
    await cluster.process('a');
    const isValid = () => {
      if (!valid) refusals++;
      return valid;
    };
    const { router } = cluster.master({ isValid });
    router.setMembers(['a']);
    await router.start();
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    valid = false;
    for (let i = 0; i < 10; i++) cluster.send(router, 'w');
    await until(() => refusals >= 5);
    expect(router.buffered).toBe(10);
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
      await router.start();
    }
    cluster.send(old.router, 'w');
    await until(() => cluster.delivered.length === 1);
    cluster.send(successor.router, 'w');
    await until(() => cluster.delivered.length === 2);
    for (let i = 0; i < 5; i++) cluster.send(old.router, 'v', 'w;camera');
    await until(() => old.events.some(({ type }) => type === 'discarded'));
    expect(old.events.slice(-2)).toEqual([{ type: 'deposed' }, { type: 'discarded', count: 5 }]);
    expect(old.router.stats()).toMatchObject({ discarded: 5, kept: 0, accepted: 1, buffered: 0 });
    cluster.send(successor.router, 'w', 'x;camera');
    await until(() => cluster.delivered.length === 3);
    expect(cluster.numbersOf('w;camera')).toEqual([0, 1]);
  });

  it('keeps what it has accepted until there is an owner', async () => {
    const { router } = cluster.master({ options: { lookInterval: 100 } });
    await cluster.redis.hset(
      cluster.keys.interests,
      'gone',
      JSON.stringify({ version: 1, global: true, subscriptions: [] }),
    );
    await router.start();
    cluster.send(router, 'w');
    await until(() => router.stats().accepted === 1);
    await cluster.process('a');
    router.setMembers(['a']);
    await until(() => cluster.delivered.length === 1);
    expect(cluster.delivered).toMatchObject([{ processId: 'a', n: 0 }]);
  });

  it('stops at once though Redis has work waiting, and leaves it to the next owner without a wait', async () => {
    const { consumer, registry } = await cluster.process('a', {}, () => sleep(20));
    const { router } = cluster.master();
    router.setMembers(['a']);
    await router.start();
    for (let i = 0; i < 200; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length >= 3);
    await registry.withdraw();
    await consumer.stop();
    const started = cluster.delivered.length;
    await sleep(60);
    expect(cluster.delivered).toHaveLength(started);
    // What was finished is confirmed.
    expect(await cluster.backlog()).toBe(200 - started);
    await cluster.process('b');
    router.setMembers(['b']);
    await until(() => cluster.delivered.length === 200);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(200));
    expect(cluster.delivered.filter(({ redelivered }) => redelivered)).toEqual([]);
  });
});
