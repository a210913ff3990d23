import { setTimeout as sleep } from 'node:timers/promises';
import { availableRedisGenerations, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { encodeMessage } from '../log/detection-message.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const generations = await availableRedisGenerations();

/** How many entries the owner reads before its callbacks stop. */
const HELD = 10;

/** No batch of these logs has more detections. */
const BATCH = 13;

const bytesOf = (messages: readonly string[]) => Buffer.byteLength(messages.join(''));

// On servers of their own, because tests cut all connections of a server.
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

  const dropped = async () => Number((await cluster.record(0)).dropped ?? 0);
  const cutAllConnections = () => cluster.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

  async function master(options: object) {
    const { router, events } = cluster.master({ options: { partitions: 1, ...options } });
    router.setMembers(['a']);
    await router.start();
    const count = (type: string) =>
      events.reduce((sum, event) => sum + (event.type === type && 'count' in event ? event.count : 0), 0);
    return { router, count };
  }

  /** An owner that has read the first entries, and whose callbacks do not return before the gate opens. */
  async function start(options: object) {
    const window = { window: HELD, windowPerSubscription: HELD, callbackTimeout: 60_000 };
    const a = await cluster.process('a', window, () => gate);
    const running = await master(options);
    for (let i = 0; i < HELD; i++) cluster.send(running.router, 'w');
    await until(() => a.consumer.stats().inWindow === HELD);
    return { a, ...running };
  }

  it("'drop-oldest' delivers the newest entries and those that the owner has queued, and counts the others exactly", async () => {
    const { router, count } = await start({ maxBacklogEntries: 100, callEntries: 7 });
    for (let i = 0; i < 1_000; i++) {
      cluster.send(router, 'w');
      if (i % 100 === 0) await sleep(2);
    }
    await until(() => router.stats().accepted === 1_010);
    const left = await cluster.backlog();
    expect(left).toBeLessThanOrEqual(100);
    expect(left).toBeGreaterThan(100 - BATCH);
    // Redis does not know what the owner has queued, and counts it as dropped until it is acknowledged.
    const gone = 1_010 - left;
    expect([router.stats().dropped, await dropped()]).toEqual([gone, gone]);
    await until(() => count('backlog-dropped') === gone);
    open();
    await until(async () => (await cluster.backlog()) === 0);
    const numbers = cluster.numbersOf('w;camera');
    // The owner had read some more in the last batch.
    const held = numbers.length - left;
    expect(held).toBeGreaterThanOrEqual(HELD);
    expect(numbers).toEqual([...upTo(held), ...upTo(1_010).slice(-left)]);
    await until(async () => (await dropped()) === gone - held);
    // The master counts from there: it does not count the next drops, which were counted before.
    for (let i = 0; i < 5; i++) cluster.send(router, 'w');
    await until(() => router.stats().accepted === 1_015);
    expect(router.stats().dropped).toBe(gone);
  });

  it.each([
    ['drop-oldest', [0, 1, 2, 3, 4], [200, 299]],
    ['refuse-new', [0, 1, 2, 3, 4], [0, 99]],
  ] as const)(
    'a full buffer costs the worker that fills it, and no other (%s)',
    async (overflow, others, [first, last]) => {
      let valid = false;
      const { router, events } = cluster.master({
        isValid: () => valid,
        options: { partitions: 4, maxBufferEntries: 105, overflow },
      });
      router.setMembers(['a']);
      const a = await cluster.process('a', {}, undefined);
      await router.start();
      expect(a.events).toEqual([]);
      // It fills the buffer through two subscriptions in different partitions, others send a little before, between and after.
      for (let n = 0; n < 300; n++) {
        if (n % 60 === 0) cluster.send(router, 'quiet', 'quiet;camera');
        cluster.send(router, 'noisy', n % 2 === 0 ? 'noisy;1' : 'noisy;2');
      }
      expect(router.stats()).toMatchObject({ buffered: 105, bufferDropped: 200 });
      valid = true;
      await until(() => router.stats().accepted === 105);
      await until(() => cluster.delivered.length === 105);
      expect(cluster.numbersOf('quiet;camera')).toEqual(others);
      const noisy = [...cluster.numbersOf('noisy;1'), ...cluster.numbersOf('noisy;2')];
      expect(noisy).toHaveLength(100);
      if (overflow === 'drop-oldest') expect(Math.min(...noisy)).toBeGreaterThanOrEqual(first / 2 - 25);
      else expect(Math.max(...noisy)).toBeLessThanOrEqual(Math.ceil(last / 2) + 25);
      const dropped = () =>
        events.flatMap((event) => (event.type === 'buffer-dropped' ? [[event.worker, event.count]] : []));
      await until(() => dropped().reduce((sum, [, count]) => sum + Number(count), 0) === 200);
      expect(new Set(dropped().map(([worker]) => worker))).toEqual(new Set(['noisy']));
    },
  );

  it("'drop-oldest' counts exactly where replies are lost and the master changes", async () => {
    const { router } = await start({ maxBacklogEntries: 50, callEntries: 5 });
    for (let i = 0; i < 200; i++) {
      cluster.send(router, 'w');
      if (i % 40 === 20) await cutAllConnections();
      await sleep(1);
    }
    await until(() => router.stats().accepted === 210);
    const left = await cluster.backlog();
    expect(router.stats().dropped).toBe(210 - left);
    router.close();
    const second = await master({ maxBacklogEntries: 50 });
    for (let i = 0; i < 20; i++) cluster.send(second.router, 'w');
    await until(() => second.router.stats().accepted === 20);
    const last = await cluster.backlog();
    expect(last).toBeLessThanOrEqual(50);
    expect(last).toBeGreaterThan(50 - BATCH);
    expect(second.router.stats().dropped).toBe(left + 20 - last);
    open();
    await until(async () => (await cluster.backlog()) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual([...upTo(HELD), ...upTo(230).slice(-last)]);
    await until(async () => (await dropped()) === 230 - last - HELD);
  });

  it('counts what it drops from a listener stream apart from what an earlier master dropped', async () => {
    const a = await cluster.process('a', { stopDeadline: 0 }, undefined, { global: false });
    a.listeners.add('w;camera', () => gate);
    const first = await master({ maxBacklogEntries: 50 });
    await cluster.announced(a);
    for (let i = 0; i < 100; i++) cluster.send(first.router, 'w');
    await until(() => first.router.stats().accepted === 100);
    const left = async () =>
      Number(await cluster.redis.hget(`${cluster.keys.slave('a')}:record`, 'detections'));
    const before = await left();
    expect(first.router.stats().dropped).toBe(100 - before);
    first.router.close();
    const second = await master({ maxBacklogEntries: 50 });
    for (let i = 0; i < 10; i++) cluster.send(second.router, 'w');
    await until(() => second.router.stats().accepted === 10);
    expect(second.router.stats().dropped).toBe(before + 10 - (await left()));
  });

  it("'refuse-new' delivers all that it has accepted, and counts what it refuses exactly", async () => {
    const { router, count } = await start({
      maxBacklogEntries: 100,
      overflow: 'refuse-new',
      callEntries: 7,
    });
    for (let i = 0; i < 500; i++) cluster.send(router, 'w');
    await until(() => router.stats().buffered === 0);
    const { accepted } = router.stats();
    expect(accepted).toBeLessThanOrEqual(100);
    expect(accepted).toBeGreaterThan(100 - BATCH);
    expect(router.stats()).toMatchObject({ refused: 510 - accepted, dropped: 0 });
    await until(() => count('backlog-refused') === 510 - accepted);
    open();
    await until(async () => (await cluster.backlog()) === 0);
    const numbers = cluster.numbersOf('w;camera');
    expect(numbers).toHaveLength(accepted);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === accepted + 1);
    expect(await dropped()).toBe(0);
  });

  it("'refuse-new' delivers all that it has accepted where replies are lost while the log is full", async () => {
    await cluster.process('a', {}, () => sleep(2));
    const { router } = await master({ maxBacklogEntries: 20, overflow: 'refuse-new', callEntries: 5 });
    for (let i = 0; i < 400; i++) {
      cluster.send(router, 'w');
      if (i % 80 === 40) await cutAllConnections();
      if (i % 4 === 0) await sleep(1);
    }
    await until(() => router.stats().buffered === 0);
    await until(async () => (await cluster.backlog()) === 0);
    const { accepted, dropped: gone, refused } = router.stats();
    const numbers = cluster.numbersOf('w;camera');
    expect([accepted + refused, gone, await dropped()]).toEqual([400, 0, 0]);
    expect(refused).toBeGreaterThan(0);
    expect(new Set(numbers).size).toBe(accepted);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  it.each(['drop-oldest', 'refuse-new'] as const)(
    '%s: limits the bytes of a log exactly',
    async (overflow) => {
      const limit = 20_000;
      const { router } = await start({ maxBacklogBytes: limit, overflow, callEntries: 7 });
      const messages: string[] = [];
      for (let i = 0; i < 300; i++) {
        // Frames of many lengths, with characters of more than one byte.
        const frame = JSON.stringify({
          subscriptionIdentifier: 'd;c',
          data: { x: 'ä'.repeat((i * 37) % 800) },
        });
        const detection = {
          detectionId: `1-1-${i}`,
          workerUrl: 'w',
          subscriptionIdentifier: 'd;c',
          receivedAt: Date.now(),
          frame,
        };
        messages.push(encodeMessage(detection, false, null));
        router.route(detection);
      }
      await until(() => router.stats().buffered === 0);
      const entries = await cluster.redis.xrange(cluster.keys.partition(0), '-', '+');
      const texts = entries.map(([, fields]) => fields.at(-1)!);
      const kept = texts.flatMap((text) => text.split('\n'));
      expect(bytesOf(texts)).toBeLessThanOrEqual(limit);
      expect(await cluster.record(0)).toMatchObject({
        bytes: String(bytesOf(texts)),
        detections: String(kept.length),
      });
      const { accepted, dropped: gone, refused } = router.stats();
      if (overflow === 'drop-oldest') {
        expect(kept).toEqual(messages.slice(-kept.length));
        // Whole batches were dropped, each with an eighth of the bytes at most.
        expect(bytesOf(texts)).toBeGreaterThan((limit * 6) / 8);
        expect([accepted, refused, gone]).toEqual([310, 0, 310 - kept.length]);
      } else {
        expect([accepted, refused, gone]).toEqual([kept.length, 310 - kept.length, 0]);
        // Refused entries did not fit when they arrived. The oldest entries did.
        expect(kept.slice(HELD)[0]).toBe(messages[0]);
      }
    },
  );

  it('keeps only the detections of a slow callback when a log is full, not those that came with them', async () => {
    const a = await cluster.process('a', { callbackTimeout: 60_000 }, ({ subscription }) =>
      subscription === 'slow;camera' ? gate : undefined,
    );
    const { router } = await master({ maxBacklogBytes: 60_000, overflow: 'refuse-new' });
    const rounds = 50;
    const quick = upTo(9).map((n) => `quick;${n}`);
    for (let round = 1; round <= rounds; round++) {
      for (const subscription of ['slow;camera', ...quick])
        cluster.send(router, 'w', subscription, { filler: 'x'.repeat(250) });
      await until(() => a.consumer.stats().handled === round * quick.length);
      await until(() => a.consumer.stats().unconfirmed === 0);
    }
    // More than three times what the log takes.
    expect(router.stats()).toMatchObject({ accepted: rounds * 10, refused: 0, dropped: 0 });
    expect(await cluster.backlog()).toBe(rounds);
    open();
    await until(async () => (await cluster.backlog()) === 0);
    for (const subscription of ['slow;camera', ...quick])
      expect(cluster.numbersOf(subscription)).toHaveLength(rounds);
    expect(await cluster.record(0)).toMatchObject({ bytes: '0', detections: '0' });
  });

  it("limits the master's own buffer, and counts what it drops from it", async () => {
    let valid = true;
    await cluster.process('a');
    const { router, events } = cluster.master({ isValid: () => valid, options: { maxBufferEntries: 50 } });
    router.setMembers(['a']);
    await router.start();
    valid = false;
    for (let i = 0; i < 80; i++) cluster.send(router, 'w');
    expect(router.stats()).toMatchObject({ buffered: 50, bufferDropped: 30 });
    valid = true;
    await until(() => cluster.delivered.length === 50 && router.stats().buffered === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(80).slice(30));
    const reported = () => events.reduce((sum, e) => sum + (e.type === 'buffer-dropped' ? e.count : 0), 0);
    await until(() => reported() === 30);
  });

  it("drops the newest entries of the master's own buffer with 'refuse-new'", async () => {
    let valid = true;
    await cluster.process('a');
    const { router } = cluster.master({
      isValid: () => valid,
      options: { maxBufferBytes: 10_000, overflow: 'refuse-new' },
    });
    router.setMembers(['a']);
    await router.start();
    valid = false;
    for (let i = 0; i < 80; i++) cluster.send(router, 'w', 'w;camera', { padding: 'x'.repeat(1_000) });
    const { buffered, bufferDropped } = router.stats();
    expect(buffered + bufferDropped).toBe(80);
    expect(buffered).toBeLessThan(10);
    valid = true;
    await until(() => cluster.delivered.length === buffered);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(buffered));
  });
});
