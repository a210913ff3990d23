import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(60_000);

describe.each([true, false])('when Redis fails (persistence: %s)', (persistence) => {
  let server: RedisService;
  let cluster: DeliveryHarness;

  beforeAll(async () => {
    server = await startRedis({ persistence });
  });
  afterAll(() => server?.stop());
  afterEach(() => cluster.close());

  it('a restart is survived: what was accepted before it is delivered if Redis kept it, what follows in any case', async () => {
    cluster = new DeliveryHarness(server.url);
    const a = await cluster.process('a', {}, () => sleep(1));
    a.listeners.add('late;c', () => undefined);
    const { router, events } = cluster.master({ options: { lookInterval: 200 } });
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    await a.registry.announce();
    for (let i = 0; i < 300; i++) {
      cluster.send(router, 'w');
      if (i === 100) void server.restart();
      await sleep(5);
    }
    await until(() => router.stats().buffered === 0 && router.stats().routed === 300);
    cluster.send(router, 'w');
    await until(() => cluster.numbersOf('w;camera').includes(300));
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    const unique = new Set(cluster.numbersOf('w;camera'));
    const stats = router.stats();
    expect(stats).toMatchObject({ accepted: 301, bufferDropped: 0, discarded: 0, dropped: 0 });
    const lost = upTo(301).filter((n) => !unique.has(n));
    // Without persistence only what was accepted and not delivered at the restart may go, and that is one gap.
    if (persistence) expect(lost).toEqual([]);
    else expect(lost.length).toBeLessThan(120);
    expect(lost).toEqual(upTo(lost.length).map((i) => lost[0]! + i));
    const again = cluster.delivered.filter(
      (each, i) => cluster.delivered.findIndex((e) => e.n === each.n) < i,
    );
    expect(again.every((each) => each.redelivered)).toBe(true);
    expect(again.length).toBeLessThanOrEqual(64);
    expect(events.some(({ type }) => type === 'redis-error')).toBe(true);
    await a.registry.announce();
    expect(await cluster.redis.hget(cluster.keys.interests, 'a')).toContain('late;c');
  });

  it('a pause longer than any timeout applies nothing twice and loses nothing', async () => {
    cluster = new DeliveryHarness(server.url);
    await cluster.process('a');
    const { router } = cluster.master();
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    for (let i = 0; i < 100; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 100);
    for (let i = 0; i < 50; i++) cluster.send(router, 'w');
    // Sent, but not answered: the server stands still before it can read.
    await new Promise(setImmediate);
    server.pause();
    for (let i = 0; i < 400; i++) {
      cluster.send(router, 'w');
      await sleep(10);
    }
    server.resume();
    await until(() => cluster.delivered.length >= 550 && router.stats().buffered === 0);
    for (let i = 0; i < 10; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length >= 560);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(560));
    expect(router.stats()).toMatchObject({ accepted: 560, bufferDropped: 0 });
    // What was sent before the pause ended was sent again, and Redis refused it by its id.
    expect(router.stats().duplicatesRefused).toBeGreaterThan(0);
  });

  it('a connection that is cut again and again loses nothing and repeats nothing', async () => {
    cluster = new DeliveryHarness(server.url);
    await cluster.process('a', {}, () => sleep(1));
    const { router } = cluster.master();
    router.setMembers(['a']);
    router.setWorkers(['w1', 'w2']);
    await router.start();
    for (let i = 0; i < 600; i++) {
      cluster.send(router, i % 2 ? 'w1' : 'w2');
      if (i % 60 === 30) await cluster.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(3);
    }
    await until(() => cluster.delivered.length >= 600 && router.stats().buffered === 0);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(cluster.numbersOf('w1;camera')).toEqual(upTo(300));
    expect(cluster.numbersOf('w2;camera')).toEqual(upTo(300));
  });
});
