import { setTimeout as sleep } from 'node:timers/promises';
import { availableRedisGenerations, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(30_000);

const generations = await availableRedisGenerations();

// On servers of their own: others would lose their connections, too.
describe.each(generations)('overflow (Redis %s)', (generation) => {
  let server: RedisService;
  let cluster: DeliveryHarness;
  let open: () => void;
  let gate: Promise<void>;

  beforeAll(async () => {
    server = await startRedis({ generation });
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(() => {
    cluster = new DeliveryHarness(server.url);
    gate = new Promise((resolve) => (open = resolve));
  });
  afterEach(async () => {
    open();
    await cluster.close();
  });

  async function start(options: object) {
    const a = await cluster.process('a', { window: 10, windowPerSubscription: 10 }, () => gate);
    const { router, events } = cluster.master({ options });
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    for (let i = 0; i < 10; i++) cluster.send(router, 'w');
    await until(() => a.consumer.stats().inWindow === 10);
    const count = (type: string) =>
      events.reduce((sum, event) => sum + (event.type === type && 'count' in event ? event.count : 0), 0);
    return { a, router, count };
  }

  it('drop-oldest: the newest are delivered, what was dropped is counted exactly', async () => {
    const { router, count } = await start({ maxBacklogEntries: 100, batchEntries: 7 });
    for (let i = 0; i < 1_000; i++) {
      cluster.send(router, 'w');
      if (i % 100 === 0) await sleep(2);
    }
    await until(() => router.stats().accepted === 1_010);
    open();
    const kept = 1_010 - router.stats().dropped;
    await until(() => cluster.delivered.length >= kept);
    await sleep(100);
    expect(kept).toBe(100);
    expect(cluster.numbersOf('w;camera')).toEqual([...upTo(10), ...upTo(1_010).slice(-90)]);
    expect(count('backlog-dropped')).toBe(910);
    expect(await cluster.redis.hget(cluster.keys.dropped, 'a')).toBe('910');
    expect(router.stats().processes.a!.dropped).toBe(910);
  });

  it('drop-oldest counts on exactly where replies are lost and masters change', async () => {
    const { router } = await start({ maxBacklogEntries: 50, batchEntries: 5 });
    for (let i = 0; i < 200; i++) {
      cluster.send(router, 'w');
      if (i % 40 === 20) await cluster.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(1);
    }
    await until(() => router.stats().accepted === 210);
    await router.close();
    const second = cluster.master({ options: { maxBacklogEntries: 50 } });
    second.router.setMembers(['a']);
    second.router.setWorkers(['w']);
    await second.router.start();
    for (let i = 0; i < 20; i++) cluster.send(second.router, 'w');
    await until(() => second.router.stats().accepted === 20);
    const dropped = router.stats().dropped + second.router.stats().dropped;
    expect(dropped).toBe(230 - 50);
    expect(second.router.stats().dropped).toBe(20);
    open();
    await until(() => cluster.delivered.length >= 50);
    await sleep(100);
    expect(cluster.delivered).toHaveLength(50);
  });

  it('reject-new: the oldest are delivered, what was refused is counted exactly', async () => {
    const { router, count } = await start({
      maxBacklogEntries: 100,
      overflow: 'reject-new',
      batchEntries: 7,
    });
    for (let i = 0; i < 500; i++) cluster.send(router, 'w');
    await until(() => router.stats().buffered === 0);
    expect(router.stats()).toMatchObject({ accepted: 100, rejected: 410, dropped: 0 });
    expect(count('backlog-rejected')).toBe(410);
    open();
    await until(() => cluster.delivered.length === 100);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(100));
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 101);
  });

  it.each(['drop-oldest', 'reject-new'])('%s: the memory of a backlog is bounded too', async (overflow) => {
    const { router } = await start({ maxBacklogBytes: 200_000, overflow });
    for (let i = 0; i < 300; i++) {
      cluster.send(router, 'w', 'w;camera', { padding: 'x'.repeat(10_000) });
      if (i % 10 === 0) await sleep(1);
    }
    await until(() => router.stats().buffered === 0);
    const { accepted, dropped, rejected, processes } = router.stats();
    expect(accepted + rejected).toBe(310);
    expect(await cluster.redis.xlen(cluster.keys.slave('a'))).toBe(accepted - dropped);
    expect(dropped + rejected).toBeGreaterThan(200);
    expect(processes.a!.bytes).toBeLessThan(500_000);
  });

  it("this process's own buffer is bounded and counted", async () => {
    let valid = true;
    await cluster.process('a');
    const { router, events } = cluster.master({ isValid: () => valid, options: { maxBufferEntries: 50 } });
    router.setMembers(['a']);
    router.setWorkers(['w']);
    for (let i = 0; i < 80; i++) cluster.send(router, 'w');
    expect(router.stats()).toMatchObject({ buffered: 50, bufferDropped: 30 });
    await router.start();
    await until(() => cluster.delivered.length === 50 && router.stats().buffered === 0);
    valid = false;
    for (let i = 0; i < 80; i++) cluster.send(router, 'w');
    expect(router.stats()).toMatchObject({ buffered: 50, bufferDropped: 60 });
    valid = true;
    await until(() => cluster.delivered.length === 100);
    expect(cluster.numbersOf('w;camera')).toEqual([...upTo(80).slice(30), ...upTo(160).slice(110)]);
    const reported = () => events.reduce((sum, e) => sum + (e.type === 'buffer-dropped' ? e.count : 0), 0);
    await until(() => reported() === 60);
  });
});
