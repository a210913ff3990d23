import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Redis may be slow on a busy machine. */
const failures = (events: readonly { readonly type: string }[]) =>
  events.map(({ type }) => type).filter((type) => !type.startsWith('partition-') && type !== 'redis-error');

describe('callbacks', () => {
  let cluster: DeliveryHarness;
  const fast = { retryDelays: [5, 10, 15] };

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  async function master(owners: readonly string[], options = {}) {
    const { router } = cluster.master({ options });
    router.setMembers(owners);
    await router.start();
    return router;
  }

  it('runs a callback that fails for good three times more, and only that one; then the entry becomes a dead letter', async () => {
    const runs: [number, boolean][] = [];
    const a = await cluster.process('a', fast);
    a.listeners.addGlobal((_, { attempt, redelivered }) => {
      runs.push([attempt, redelivered]);
      throw new Error('no such table');
    });
    const router = await master(['a']);
    const before = Date.now();
    const id = cluster.send(router, 'w');
    await until(async () => (await cluster.letters.list()).length === 1);
    expect(runs).toEqual([
      [0, false],
      [1, true],
      [2, true],
      [3, true],
    ]);
    expect(cluster.delivered).toHaveLength(1);
    const [letter] = await cluster.letters.list();
    expect(letter).toMatchObject({
      detectionId: id,
      workerUrl: 'w',
      subscriptionIdentifier: 'w;camera',
      audience: 'owner',
      processId: 'a',
      attempts: 4,
    });
    expect(letter!.error).toContain('no such table');
    expect(letter!.receivedAt).toBeGreaterThanOrEqual(before);
    expect(letter!.failedAt.getTime()).toBeGreaterThanOrEqual(letter!.receivedAt);
    expect(failures(a.events)).toEqual([...upTo(3).map(() => 'callback-failed'), 'dead-letter']);
    expect(await cluster.backlog()).toBe(0);
    expect(a.consumer.stats()).toMatchObject({ handled: 0, retried: 3, deadLetters: 1 });
  });

  it('makes no dead letter of a callback that recovers; later detections of the subscription wait for it', async () => {
    await cluster.process('a', fast, ({ n, attempt }) => {
      if (n === 0 && attempt < 2) throw new Error('not yet');
    });
    const router = await master(['a']);
    for (let i = 0; i < 5; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 7);
    expect(cluster.delivered.map(({ n, attempt }) => [n, attempt])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      ...[1, 2, 3, 4].map((n) => [n, 0]),
    ]);
    expect(await cluster.letters.list()).toEqual([]);
  });

  it('counts a callback that hangs as failed', async () => {
    const options = { callbackTimeout: 20, retryDelays: [1] };
    await cluster.process('a', options, ({ n }) => (n === 0 ? new Promise(() => undefined) : undefined));
    const router = await master(['a']);
    cluster.send(router, 'w');
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 3);
    await until(async () => (await cluster.letters.list()).length === 1);
    expect((await cluster.letters.list())[0]!.error).toContain('20 ms');
  });

  it('makes a dead letter of an entry that is not a detection, and continues', async () => {
    const a = await cluster.process('a', fast);
    const router = await master(['a']);
    const receivedAt = Date.now();
    const frames = ['{', 'null', '{"subscriptionIdentifier":"d;c","data":null}'];
    for (const [i, frame] of frames.entries())
      router.route({
        detectionId: `1-1-${i}`,
        workerUrl: 'w',
        subscriptionIdentifier: 'd;c',
        receivedAt,
        frame,
      });
    cluster.send(router, 'w', 'd;c');
    await until(() => cluster.delivered.length === 1);
    await until(async () => (await cluster.letters.list()).length === 3);
    expect(failures(a.events)).toEqual(['unreadable-entry', 'unreadable-entry', 'unreadable-entry']);
    expect(
      (await cluster.letters.list()).map(({ attempts, detectionId, frame, subscriptionIdentifier }) => [
        detectionId,
        frame,
        subscriptionIdentifier,
        attempts,
      ]),
    ).toEqual([
      ['1-1-0', '{', null, 0],
      ['1-1-1', 'null', null, 0],
      ['1-1-2', frames[2], 'd;c', 0],
    ]);
  });

  it('keeps the newest dead letters of a partition, and reports how many it removed', async () => {
    const a = await cluster.process('a', { retryDelays: [], maxDeadLetters: 10 }, () => {
      throw new Error('always');
    });
    const router = await master(['a']);
    for (let i = 0; i < 30; i++) cluster.send(router, 'w');
    await until(() => a.consumer.stats().deadLetters === 30 && a.consumer.stats().unconfirmed === 0);
    const removed = a.events.reduce((sum, e) => sum + (e.type === 'dead-letters-removed' ? e.count : 0), 0);
    expect(removed).toBe(20);
    expect((await cluster.letters.list()).map(({ detectionId }) => detectionId)).toEqual(
      upTo(30)
        .slice(20)
        .map((n) => `w;camera#${n}`),
    );
  });

  it('lets a stuck subscription hold up neither the others of its partition nor other processes', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const options = { window: 100, windowPerSubscription: 8, maxParked: 1_000, callbackTimeout: 60_000 };
    const slow = ({ subscription }: { subscription: string }) =>
      subscription === 'stuck;c' ? gate : undefined;
    const processes = [await cluster.process('a', options, slow), await cluster.process('b', options, slow)];
    // Four subscriptions in two partitions: the stuck one shares its process with others.
    const router = await master(['a', 'b'], { partitions: 2 });
    for (let i = 0; i < 500; i++) {
      for (const subscription of ['stuck;c', 'free;c', 'other;c', 'more;c'])
        cluster.send(router, 'w', subscription);
      if (i % 50 === 0) await sleep(5);
    }
    for (const subscription of ['free;c', 'other;c', 'more;c'])
      await until(
        () => cluster.numbersOf(subscription).length === 500,
        () => processes.map(({ consumer }) => consumer.stats()),
      );
    expect(cluster.numbersOf('stuck;c')).toEqual([0]);
    const at = cluster.delivered.find(({ subscription }) => subscription === 'stuck;c')!.processId;
    const { consumer } = processes[at === 'a' ? 0 : 1]!;
    expect(new Set(cluster.deliveredTo(at).map(({ subscription }) => subscription)).size).toBeGreaterThan(1);
    expect(consumer.stats().inWindow).toBeLessThanOrEqual(100);
    expect(consumer.stats().parked).toBeGreaterThan(400);
    open!();
    await until(
      () => cluster.numbersOf('stuck;c').length === 500,
      () => consumer.stats(),
    );
    for (const subscription of ['stuck;c', 'free;c', 'other;c', 'more;c'])
      expect(cluster.numbersOf(subscription)).toEqual(upTo(500));
    await until(async () => (await cluster.backlog()) === 0);
    await until(() => consumer.stats().unconfirmed === 0);
    expect(consumer.stats()).toMatchObject({ inWindow: 0, parked: 0 });
  });

  it('stops reading when the window is full', async () => {
    const a = await cluster.process(
      'a',
      { window: 20, windowPerSubscription: 8, maxParked: 10, stopDeadline: 0 },
      () => sleep(60_000, undefined, { ref: false }),
    );
    const router = await master(['a']);
    for (let i = 0; i < 1_000; i++) cluster.send(router, 'w', `d${i % 10};c`);
    await until(() => router.stats().accepted === 1_000);
    await until(() => a.consumer.stats().read > 0);
    await sleep(300);
    const { inWindow, parked, read } = a.consumer.stats();
    // A read brings whole batches, two of one log at least.
    expect(inWindow).toBeLessThanOrEqual(20 + 64);
    expect(parked).toBeLessThanOrEqual(10 + 64);
    expect(read).toBe(inWindow + parked);
  });
});
