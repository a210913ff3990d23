import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(60_000);

describe('back-pressure', () => {
  const EACH = 10_000;
  const WINDOW = 200;
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

  const countOf = (processId: string) =>
    cluster.delivered.filter((each) => each.processId === processId).length;

  /** One worker at each of three processes. The callbacks of the first do not return before the gate opens. */
  async function start(more: { maxBacklogEntries?: number } = {}) {
    const options = { window: WINDOW, windowPerSubscription: 64, maxParked: 500 };
    const slow = await cluster.process('a-slow', options, () => gate);
    const fast = [await cluster.process('b-fast'), await cluster.process('c-fast')];
    const { router } = cluster.master({ options: { ...more, rebalanceInterval: 60_000 } });
    router.setMembers(['a-slow', 'b-fast', 'c-fast']);
    router.setWorkers(['w0', 'w1', 'w2']);
    await router.start();
    await until(() => Object.keys(router.stats().assignments).length === 3);
    const worker = Object.fromEntries(
      Object.entries(router.stats().assignments).map(([url, owner]) => [owner, url]),
    );
    return { slow, fast, router, worker };
  }

  /**
   * Sends at the pace of the fast processes, so that all of it shows whether the slow one holds them up, and returns the
   * highest figures seen in between.
   */
  async function flood({ slow, router, worker }: Awaited<ReturnType<typeof start>>) {
    let [buffered, inWindow, parked] = [0, 0, 0];
    for (let i = 0; i < EACH; i++) {
      for (const url of Object.values(worker)) cluster.send(router, url, `${url}-${i % 5};c`);
      if (i % 100 !== 99) continue;
      await until(() => Math.min(countOf('b-fast'), countOf('c-fast')) > i - 500);
      buffered = Math.max(buffered, router.stats().buffered);
      const stats = slow.consumer.stats();
      inWindow = Math.max(inWindow, stats.inWindow);
      parked = Math.max(parked, stats.parked);
    }
    return { buffered, inWindow, parked };
  }

  it('a process whose callbacks hang stops reading; the master and the others go on to the last detection', async () => {
    const running = await start();
    const most = await flood(running);
    const { slow, router } = running;
    // Not one callback of the slow process has returned when the others have everything.
    await until(
      () => countOf('b-fast') === EACH && countOf('c-fast') === EACH,
      () => router.stats(),
    );
    expect(slow.consumer.stats().handled).toBe(0);
    await until(() => router.stats().buffered === 0);
    expect(router.stats()).toMatchObject({ accepted: 3 * EACH, dropped: 0, rejected: 0, bufferDropped: 0 });

    // What waits is in Redis: neither the slow process nor the master holds it.
    expect(most.inWindow).toBeLessThanOrEqual(WINDOW);
    expect(most.parked).toBeLessThanOrEqual(500);
    expect(most.buffered).toBeLessThan(3_000);
    expect(await slow.consumer.backlog()).toBe(EACH);
    const { read } = slow.consumer.stats();
    expect(read).toBeLessThanOrEqual(WINDOW + 500);
    await sleep(300);
    expect(slow.consumer.stats().read).toBe(read);

    open();
    await until(
      () => countOf('a-slow') === EACH,
      () => slow.consumer.stats(),
    );
    for (const url of Object.values(running.worker))
      for (const n of upTo(5)) expect(cluster.numbersOf(`${url}-${n};c`)).toEqual(upTo(EACH / 5));
  });

  it('its backlog is bounded: the oldest unread are dropped and counted, the others lose nothing', async () => {
    const running = await start({ maxBacklogEntries: 2_000 });
    await flood(running);
    const { slow, router } = running;
    await until(() => router.stats().buffered === 0);
    await until(() => countOf('b-fast') === EACH && countOf('c-fast') === EACH);
    expect(await slow.consumer.backlog()).toBe(2_000);
    const { dropped, processes } = router.stats();
    expect(dropped).toBe(EACH - 2_000);
    expect(processes['a-slow']!.dropped).toBe(dropped);
    open();
    await until(() => slow.consumer.stats().handled === 2_000);
  });
});
