import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(30_000);

describe('callbacks', () => {
  let cluster: DeliveryHarness;
  const fast = { retryDelays: [5, 10, 15] };

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  async function master(owners: readonly string[], workers: readonly string[]) {
    const { router } = cluster.master();
    router.setMembers(owners);
    router.setWorkers(workers);
    await router.start();
    return router;
  }

  const letters = async () =>
    (await cluster.redis.xrange(cluster.keys.deadLetters, '-', '+')).map(([, flat]) =>
      Object.fromEntries(upTo(flat.length / 2).map((i) => [flat[2 * i], flat[2 * i + 1]])),
    );

  it('a callback that fails for good is repeated three times, alone; then its entry is a dead letter', async () => {
    const runs: number[] = [];
    const a = await cluster.process('a', fast);
    a.listeners.addGlobal((_, { attempt }) => {
      runs.push(attempt);
      throw new Error('no such table');
    });
    const router = await master(['a'], ['w']);
    const id = cluster.send(router, 'w');
    await until(async () => (await letters()).length === 1);
    expect(runs).toEqual([0, 1, 2, 3]);
    expect(cluster.delivered).toHaveLength(1);
    const [letter] = await letters();
    expect(letter).toMatchObject({ processId: 'a', attempts: '4' });
    expect(letter!.error).toContain('no such table');
    expect(JSON.parse(letter!.message!)).toMatchObject({
      id,
      workerUrl: 'w',
      for: 'owner',
      data: { subscriptionIdentifier: 'w;camera' },
    });
    expect(Number.isNaN(Date.parse(letter!.at!))).toBe(false);
    expect(a.events.map(({ type }) => type)).toEqual([
      ...upTo(3).map(() => 'callback-failed'),
      'dead-letter',
    ]);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(a.consumer.stats()).toMatchObject({ handled: 0, retried: 3, deadLetters: 1 });
  });

  it('one that recovers is not a dead letter, and those behind it wait for it', async () => {
    await cluster.process('a', fast, ({ n, attempt }) => {
      if (n === 0 && attempt < 2) throw new Error('not yet');
    });
    const router = await master(['a'], ['w']);
    for (let i = 0; i < 5; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 7);
    expect(cluster.delivered.map(({ n, attempt }) => [n, attempt])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      ...[1, 2, 3, 4].map((n) => [n, 0]),
    ]);
    expect(await letters()).toEqual([]);
  });

  it('one that hangs counts as failed', async () => {
    const options = { callbackTimeout: 20, retryDelays: [1] };
    await cluster.process('a', options, ({ n }) => (n === 0 ? new Promise(() => undefined) : undefined));
    const router = await master(['a'], ['w']);
    cluster.send(router, 'w');
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 3);
    await until(async () => (await letters()).length === 1);
    expect((await letters())[0]!.error).toContain('20 ms');
  });

  it('an entry that is no detection is a dead letter and holds up nothing', async () => {
    const a = await cluster.process('a', fast);
    const router = await master(['a'], ['w']);
    const timestamp = new Date().toISOString();
    for (const frame of ['{', 'null', '{"subscriptionIdentifier":"d;c","data":null}'])
      router.route({ workerUrl: 'w', subscriptionIdentifier: 'd;c', frame, timestamp, detectionId: frame });
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    await until(async () => (await letters()).length === 3);
    expect(a.events.map(({ type }) => type)).toEqual(['dead-letter', 'dead-letter', 'dead-letter']);
  });

  it('the newest dead letters are kept, and removals reported', async () => {
    const a = await cluster.process('a', { retryDelays: [], maxDeadLetters: 10 }, () => {
      throw new Error('always');
    });
    const router = await master(['a'], ['w']);
    for (let i = 0; i < 30; i++) cluster.send(router, 'w');
    await until(() => a.consumer.stats().deadLetters === 30 && a.consumer.stats().unconfirmed === 0);
    const removed = a.events.reduce((sum, e) => sum + (e.type === 'dead-letters-removed' ? e.count : 0), 0);
    expect(removed).toBe(20);
    expect((await letters()).map(({ message }) => (JSON.parse(message!) as { id: string }).id)).toEqual(
      upTo(30)
        .slice(20)
        .map((n) => `w;camera#${n}`),
    );
  });

  it('a stuck subscription holds up neither the others of its process nor other processes', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const options = { window: 100, windowPerSubscription: 8, maxParked: 1_000 };
    const a = await cluster.process('a', options, ({ subscription }) =>
      subscription === 'stuck;c' ? gate : undefined,
    );
    await cluster.process('b');
    const router = await master(['a', 'b'], ['w1', 'w2']);
    await until(() => Object.keys(router.stats().assignments).length === 2);
    for (let i = 0; i < 500; i++) {
      cluster.send(router, 'w1', 'stuck;c');
      cluster.send(router, 'w1', 'free;c');
      cluster.send(router, 'w2', 'other;c');
      if (i % 50 === 0) await sleep(5);
    }
    await until(
      () => cluster.numbersOf('free;c').length === 500,
      () => a.consumer.stats(),
    );
    await until(() => cluster.numbersOf('other;c').length === 500);
    expect(cluster.numbersOf('stuck;c')).toEqual([0]);
    const { inWindow, parked } = a.consumer.stats();
    expect(inWindow).toBeLessThanOrEqual(100);
    expect(parked).toBeGreaterThan(400);
    open!();
    await until(
      () => cluster.numbersOf('stuck;c').length === 500,
      () => a.consumer.stats(),
    );
    expect(cluster.numbersOf('stuck;c')).toEqual(upTo(500));
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(a.consumer.stats()).toMatchObject({ inWindow: 0, parked: 0, unconfirmed: 0, handled: 1_000 });
  });

  it('reading stops when the window is full', async () => {
    const a = await cluster.process('a', { window: 20, windowPerSubscription: 8, maxParked: 10 }, () =>
      sleep(60_000, undefined, { ref: false }),
    );
    const router = await master(['a'], ['w']);
    for (let i = 0; i < 300; i++) cluster.send(router, 'w', `d${i % 10};c`);
    await until(() => router.stats().accepted === 300);
    await sleep(300);
    const { inWindow, parked, read } = a.consumer.stats();
    expect(inWindow).toBeLessThanOrEqual(20);
    expect(read).toBe(inWindow + parked);
    void a.consumer.stop();
  });
});
