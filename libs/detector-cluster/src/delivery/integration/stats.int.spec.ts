import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until } from '../../../../../test/support/delivery-harness.js';
import { RouterCounters } from '../router/router-counters.js';
import { deliveryStats } from '../stats/delivery-stats.js';

jest.setTimeout(30_000);

describe('delivery stats', () => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  it('count what went in and out, was late, given up and lost, over two terms of one process', async () => {
    let wall = Date.now();
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const sent = new RouterCounters();
    const { consumer, listeners } = await cluster.process(
      'a',
      { retryDelays: [] },
      ({ n }) => {
        if (n === 1) throw new Error('broken');
        return n === 3 ? gate : undefined;
      },
      () => wall,
    );
    listeners.addGlobal(() => undefined);
    const stats = async () => deliveryStats(consumer.stats(), sent, await consumer.backlog());
    expect(await stats()).toEqual({
      in: 0,
      out: 0,
      late: 0,
      dropped: 0,
      dead: 0,
      redelivered: 0,
      lagMs: 0,
      backlog: 0,
    });

    const first = cluster.master({ counters: sent });
    first.router.setMembers(['a']);
    first.router.setWorkers(['w']);
    await first.router.start();
    for (let i = 0; i < 3; i++) cluster.send(first.router, 'w');
    const unreadable = { workerUrl: 'w', subscriptionIdentifier: 'd;c', frame: '{', detectionId: 'x' };
    first.router.route({ ...unreadable, timestamp: new Date().toISOString() });
    // A backlog of 0 alone may mean that nothing has arrived yet.
    await until(async () => {
      const { out, dead, backlog } = await stats();
      return out === 2 && dead === 2 && backlog === 0;
    });
    await first.router.close();
    cluster.send(first.router, 'w', 'lost;c');

    const second = cluster.master({ counters: sent });
    second.router.setMembers(['a']);
    second.router.setWorkers(['w']);
    await second.router.start();
    cluster.send(second.router, 'w');
    cluster.send(second.router, 'w');
    await until(async () => (await stats()).backlog === 2);
    wall += 60_000;
    open!();
    await until(async () => (await stats()).backlog === 0);
    const after = await stats();
    expect(after).toMatchObject({ in: 7, out: 4, late: 2, dropped: 1, dead: 2, redelivered: 0 });
    expect(after.lagMs).toBeGreaterThan(20_000);
    expect(after.lagMs).toBeLessThanOrEqual(60_000);
  });

  it('a backlog is what was read where Redis does not answer', async () => {
    const { consumer } = await cluster.process('a');
    await consumer.stop();
    expect(await consumer.backlog()).toBeNull();
    const received = { ...consumer.stats(), inWindow: 3, parked: 4 };
    expect(deliveryStats(received, new RouterCounters(), null).backlog).toBe(7);
  });
});
