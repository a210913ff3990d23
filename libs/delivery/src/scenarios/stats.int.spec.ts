import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { deliveryStats } from '../delivery-stats.js';
import { RouterCounters } from '../send/router-counters.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

describe('delivery stats', () => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  it('count what came in, went out, was late, given up and lost, over two terms of one process', async () => {
    let wall = Date.now();
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const counters = new RouterCounters();
    const { consumer } = await cluster.process(
      'a',
      { retryDelays: [] },
      ({ n }) => {
        if (n === 1) throw new Error('broken');
        return n === 3 ? gate : undefined;
      },
      { wallNow: () => wall },
    );
    const stats = async () => deliveryStats(consumer.stats(), counters, await cluster.backlog());
    const start = async () => {
      const { router } = cluster.master({ counters, options: { partitions: 4 } });
      router.setMembers(['a']);
      await router.start();
      return router;
    };

    const first = await start();
    await until(async () => (await stats()).partitions === 4);
    expect(await stats()).toEqual({
      in: 0,
      out: 0,
      late: 0,
      dropped: 0,
      unheard: 0,
      dead: 0,
      redelivered: 0,
      lagMs: 0,
      backlog: 0,
      partitions: 4,
    });
    for (let i = 0; i < 3; i++) cluster.send(first, 'w');
    first.route({
      workerUrl: 'w',
      subscriptionIdentifier: 'd;c',
      frame: '{',
      detectionId: 'x',
      receivedAt: Date.now(),
    });
    await until(async () => {
      const { out, dead, backlog } = await stats();
      return out === 2 && dead === 2 && backlog === 0;
    });
    await first.close();
    cluster.send(first, 'w', 'lost;c');

    const second = await start();
    cluster.send(second, 'w');
    cluster.send(second, 'w');
    await until(async () => (await stats()).backlog === 2);
    wall += 60_000;
    open!();
    await until(async () => (await stats()).backlog === 0);
    const after = await stats();
    expect(after).toMatchObject({ in: 7, out: 4, late: 2, dropped: 1, dead: 2, redelivered: 0 });
    expect(after.lagMs).toBeGreaterThan(20_000);
    expect(after.lagMs).toBeLessThanOrEqual(90_000);
  });

  it('give as the backlog what the process holds while Redis does not answer', async () => {
    const { consumer } = await cluster.process('a');
    const received = { ...consumer.stats(), inWindow: 3, parked: 4 };
    expect(deliveryStats(received, new RouterCounters(), null).backlog).toBe(7);
  });
});
