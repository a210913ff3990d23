import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { orderProblems } from '../../../../test/support/delivery-order.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each([true, false])('when Redis fails (persistence: %s)', (persistence) => {
  let server: RedisService;
  let cluster: DeliveryHarness;

  beforeAll(async () => {
    server = await startRedis({ persistence });
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    cluster = new DeliveryHarness(server.url);
  });
  afterEach(() => cluster.close());

  async function master() {
    const running = cluster.master({ options: { partitions: 8, lookInterval: 200 } });
    running.router.setMembers(['a']);
    await running.router.start();
    await cluster.assigned();
    return running;
  }

  it('delivery continues after a restart, with everything that Redis has kept', async () => {
    const a = await cluster.process('a', {}, () => sleep(1));
    const { router, events } = await master();
    a.listeners.add('late;c', () => undefined);
    await a.registry.announce();
    let started: Promise<void> | undefined;
    for (let i = 0; i < 300; i++) {
      cluster.send(router, 'w');
      if (i === 100) {
        // Redis can lose only what was sent before it is dead.
        await server.kill();
        started = server.start();
      }
      await sleep(5);
    }
    await started;
    await until(
      () => router.stats().buffered === 0,
      () => [router.stats(), events.slice(-5)],
    );
    cluster.send(router, 'w');
    await until(
      () => cluster.numbersOf('w;camera').includes(300) && router.stats().buffered === 0,
      () => [router.stats(), a.consumer.stats(), events.slice(-5)],
    );
    await until(async () => a.consumer.stats().inWindow === 0 && (await cluster.backlog()) === 0);
    expect(router.stats()).toMatchObject({ accepted: 301, bufferDropped: 0, discarded: 0, dropped: 0 });
    const delivered = new Set(cluster.numbersOf('w;camera'));
    const lost = upTo(301).filter((n) => !delivered.has(n));
    // Without persistence, Redis loses the unfinished entries at the restart, which makes one gap.
    if (persistence) expect(lost).toEqual([]);
    else expect(lost.length).toBeLessThan(120);
    expect(lost).toEqual(upTo(lost.length).map((i) => lost[0]! + i));
    if (persistence) expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(cluster.delivered.length - delivered.size).toBeLessThanOrEqual(64);
    expect(events.some(({ type }) => type === 'redis-error')).toBe(true);
    await cluster.announced(a);
    expect(await cluster.redis.hget(cluster.keys.interests, 'a')).toContain('late;c');
    // Redis has the number of partitions again, for processes and masters that start later.
    await until(async () => (await cluster.redis.hget(cluster.keys.partitions, 'count')) === '8');
    expect((await cluster.owners()).every((owner) => owner === 'a')).toBe(true);
  });

  it('a pause longer than all timeouts loses nothing and repeats only marked detections', async () => {
    await cluster.process('a');
    const { router } = await master();
    for (let i = 0; i < 100; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 100);
    for (let i = 0; i < 50; i++) cluster.send(router, 'w');
    // The commands are in the socket when the server stops.
    await new Promise(setImmediate);
    server.pause();
    for (let i = 0; i < 400; i++) {
      cluster.send(router, 'w');
      await sleep(10);
    }
    server.resume();
    await until(() => new Set(cluster.numbersOf('w;camera')).size === 550 && router.stats().buffered === 0);
    for (let i = 0; i < 10; i++) cluster.send(router, 'w');
    await until(() => new Set(cluster.numbersOf('w;camera')).size === 560 && router.stats().buffered === 0);
    await until(async () => (await cluster.backlog()) === 0);
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(cluster.delivered.length - 560).toBeLessThanOrEqual(64);
    expect(router.stats()).toMatchObject({ accepted: 560, bufferDropped: 0 });
  });

  it('a connection that is closed again and again loses nothing and keeps the order', async () => {
    await cluster.process('a', {}, () => sleep(1));
    const { router } = await master();
    for (let i = 0; i < 600; i++) {
      cluster.send(router, 'w', i % 2 ? 'd1;c' : 'd2;c');
      if (i % 60 === 30) await cluster.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(3);
    }
    await until(
      () =>
        new Set(cluster.delivered.map(({ detectionId }) => detectionId)).size === 600 &&
        router.stats().buffered === 0,
      () => [router.stats(), cluster.delivered.length],
    );
    await until(async () => (await cluster.backlog()) === 0);
    expect(orderProblems(cluster.delivered)).toEqual([]);
    // Ten cuts, each with at most the window of unconfirmed acknowledgements.
    expect(cluster.delivered.length - 600).toBeLessThanOrEqual(10 * 64);
    expect(router.stats()).toMatchObject({ accepted: 600, bufferDropped: 0, discarded: 0 });
  });
});
