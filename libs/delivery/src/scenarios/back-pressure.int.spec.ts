import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { orderProblems } from '../../../../test/support/delivery-order.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('back-pressure', () => {
  const EACH = 3_000;
  const WINDOW = 200;

  /** The most detections of a batch. */
  const BATCH = 32;

  /** A read brings whole batches, two of each log at least: five logs have any. */
  const BATCHES = 5 * 2 * BATCH;
  let cluster: DeliveryHarness;
  let open: () => void;
  let gate: Promise<void>;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
    gate = new Promise((resolve) => (open = resolve));
  });
  afterEach(async () => {
    open();
    await cluster.close();
  });

  const countOf = (processId: string) => cluster.deliveredTo(processId).length;

  /** Three processes with five subscriptions each. The callbacks of the first do not return before the gate opens. */
  async function start(more: { maxBacklogEntries?: number } = {}) {
    const options = { window: WINDOW, windowPerSubscription: 64, maxParked: 500, callbackTimeout: 60_000 };
    const slow = await cluster.process('a-slow', options, () => gate);
    await cluster.process('b-fast');
    await cluster.process('c-fast');
    // The master does not rebalance, so that each process keeps its subscriptions.
    const { router } = cluster.master({
      options: { ...more, lookInterval: 600_000, rebalanceInterval: 600_000 },
    });
    router.setMembers(['a-slow', 'b-fast', 'c-fast']);
    await router.start();
    await cluster.assigned();
    const subscriptions = await Promise.all(
      ['a-slow', 'b-fast', 'c-fast'].map((processId) => cluster.subscriptionsAt(processId, 5)),
    );
    return { slow, router, subscriptions };
  }

  /**
   * Sends at the pace of the fast processes, which shows whether a slow process delays them. Returns the highest figures
   * seen in between.
   */
  async function flood({ slow, router, subscriptions }: Awaited<ReturnType<typeof start>>) {
    let [buffered, inWindow, parked] = [0, 0, 0];
    for (let i = 0; i < EACH; i++) {
      for (const names of subscriptions) cluster.send(router, 'w', names[i % 5]);
      if (i % 100 !== 99) continue;
      await until(
        () => Math.min(countOf('b-fast'), countOf('c-fast')) > i - 200,
        () => [router.stats(), slow.consumer.stats()],
      );
      buffered = Math.max(buffered, router.stats().buffered);
      const stats = slow.consumer.stats();
      inWindow = Math.max(inWindow, stats.inWindow);
      parked = Math.max(parked, stats.parked);
    }
    await until(
      () => countOf('b-fast') === EACH && countOf('c-fast') === EACH && router.stats().buffered === 0,
      () => router.stats(),
    );
    return { buffered, inWindow, parked };
  }

  it('a process whose callbacks hang stops reading; the master and the other processes continue', async () => {
    const running = await start();
    const most = await flood(running);
    const { slow, router } = running;
    // Not one callback of the slow process has returned when the others have everything.
    expect(slow.consumer.stats().handled).toBe(0);
    expect(router.stats()).toMatchObject({ accepted: 3 * EACH, dropped: 0, refused: 0, bufferDropped: 0 });

    // The waiting entries are in Redis, and not in the slow process or the master.
    expect(most.inWindow).toBeLessThanOrEqual(WINDOW + BATCHES);
    expect(most.parked).toBeLessThanOrEqual(500 + BATCHES);
    expect(most.buffered).toBeLessThan(3_000);
    expect(await slow.consumer.backlog()).toBe(EACH);
    await until(() => slow.consumer.stats().read >= WINDOW);
    expect(slow.consumer.stats().read).toBeLessThanOrEqual(WINDOW + 500 + BATCHES);

    open();
    await until(
      () => countOf('a-slow') === EACH,
      () => slow.consumer.stats(),
    );
    for (const subscription of running.subscriptions.flat())
      expect(cluster.numbersOf(subscription)).toEqual(upTo(EACH / 5));
    expect(orderProblems(cluster.delivered)).toEqual([]);
  });

  it('its backlog is bounded: the oldest entries are dropped and counted, and the other processes lose nothing', async () => {
    const MAX_BACKLOG = 200;
    const running = await start({ maxBacklogEntries: MAX_BACKLOG });
    await flood(running);
    const { slow, router } = running;
    // Whole batches are dropped.
    const backlog = (await slow.consumer.backlog())!;
    expect(backlog).toBeLessThanOrEqual(5 * MAX_BACKLOG);
    expect(backlog).toBeGreaterThan(5 * (MAX_BACKLOG - BATCH));
    expect(router.stats().dropped).toBe(EACH - backlog);
    open();
    await until(async () => (await cluster.backlog()) === 0);
    // The process no longer reads or confirms anything.
    await until(() => slow.consumer.stats().inWindow === 0 && slow.consumer.stats().unconfirmed === 0);
    // Entries that were dropped while the slow process had them queued were delivered. They do not count as dropped.
    const owners = await cluster.owners();
    const counts = await Promise.all(
      upTo(owners.length).map(async (partition) => Number((await cluster.record(partition)).dropped ?? 0)),
    );
    const dropped = counts.reduce((sum, count) => sum + count, 0);
    expect(countOf('a-slow')).toBeGreaterThan(backlog);
    expect(countOf('a-slow') + dropped).toBe(EACH);
  });
});
