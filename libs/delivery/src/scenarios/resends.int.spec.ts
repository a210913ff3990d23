import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRedis } from '@detector-cluster/dev-services';
import { DeliveryHarness } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import type { DetectionRouter } from '../send/detection-router.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const BOOT = '9f86d081884c7d65';

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

describe.each(servers)('detections that a worker sends again (%s)', (url) => {
  let cluster: DeliveryHarness;
  let settled: number[];

  beforeEach(() => {
    cluster = new DeliveryHarness(url);
    settled = [];
  });
  afterEach(() => cluster.close());

  const begin = async (harness = cluster) => {
    const { router } = harness.master();
    router.setMembers(['a']);
    await router.start();
    return router;
  };
  const send = (router: DetectionRouter, seq: number, subscriptionIdentifier = 'd;c', boot = BOOT) => {
    const data = { detection: { n: seq }, modelId: 1, modelName: 'm' };
    const timestamp = new Date().toISOString();
    const frame = JSON.stringify({
      type: 'imageDetection',
      subscriptionIdentifier,
      timestamp,
      boot,
      seq,
      data,
    });
    const detectionId = `${boot}-${seq}`;
    router.route(
      {
        detectionId,
        isNumbered: true,
        workerUrl: 'ws://w',
        subscriptionIdentifier,
        receivedAt: Date.now(),
        frame,
      },
      () => settled.push(seq),
    );
  };
  const delivered = () => cluster.delivered.map(({ detectionId }) => detectionId);

  it('are delivered once, in order, and are settled under each master', async () => {
    await cluster.process('a');
    const first = await begin();
    for (const seq of [1, 2, 3]) send(first, seq);
    await until(() => settled.length === 3);
    first.close();
    const second = await begin();
    for (const seq of [2, 3, 4, 5]) send(second, seq);
    await until(() => settled.length === 7 && cluster.delivered.length >= 5);
    await until(async () => (await cluster.backlog()) === 0);
    expect(delivered()).toEqual([1, 2, 3, 4, 5].map((seq) => `${BOOT}-${seq}`));
    expect(settled).toEqual([1, 2, 3, 2, 3, 4, 5]);
    expect(second.stats()).toMatchObject({ accepted: 4, present: 2 });
  });

  it('differ from those of another start of the worker, and from those of other subscriptions', async () => {
    await cluster.process('a');
    const router = await begin();
    for (const seq of [7, 8]) send(router, seq);
    send(router, 1, 'd;other');
    send(router, 1, 'd;c', 'another0');
    await until(() => cluster.delivered.length === 4);
    expect(router.stats().present).toBe(0);
  });

  it('count as accepted by a former master only where a log has had them', async () => {
    await cluster.process('a');
    const former = await begin();
    for (const seq of [1, 2]) send(former, seq);
    await until(() => settled.length === 2);
    // The worker has dropped 3 and 4 in the meantime.
    const next = await begin();
    send(next, 5);
    await until(() => settled.length === 3);
    former.handOver();
    for (const seq of [3, 4]) send(former, seq);
    await until(() => former.buffered === 0);
    expect(former.stats()).toMatchObject({ accepted: 2, present: 0, discarded: 2, kept: 2 });
    expect(settled).toEqual([1, 2, 5]);
  });

  it('are not settled when their master ends before Redis has them', async () => {
    const server = await startRedis();
    const frozen = new DeliveryHarness(server.url);
    try {
      await frozen.process('a');
      const router = await begin(frozen);
      server.pause();
      for (const seq of [1, 2]) send(router, seq);
      router.close();
      expect(router.stats()).toMatchObject({ discarded: 2, kept: 2 });
      send(router, 3);
      expect(router.stats()).toMatchObject({ discarded: 3, kept: 3 });
      expect(settled).toEqual([]);
    } finally {
      server.resume();
      await frozen.close();
      await server.stop();
    }
  });
});
