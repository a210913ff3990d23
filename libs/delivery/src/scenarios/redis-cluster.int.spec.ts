import { setTimeout as sleep } from 'node:timers/promises';
import { startRedisCluster, type RedisClusterService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { orderProblems } from '../../../../test/support/delivery-order.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const PARTITIONS = 12;

// Three masters, each with a replica.
describe('delivery on a Redis Cluster', () => {
  let nodes: RedisClusterService;
  let cluster: DeliveryHarness;

  beforeEach(async () => {
    nodes = await startRedisCluster({ replicas: 1 });
    const source = { cluster: { nodes: nodes.nodes.map(({ host, port }) => ({ host, port })) } };
    cluster = new DeliveryHarness(source);
  }, 60_000);
  afterEach(async () => {
    await cluster.close();
    await nodes.stop();
  });

  async function start(acceptance: { readonly replicas: number; readonly timeout: number } | null = null) {
    const processes = [
      await cluster.process('a', {}, () => sleep(1)),
      await cluster.process('b', {}, () => sleep(1)),
    ];
    const { router, events } = cluster.master({
      options: { partitions: PARTITIONS, acceptance, lookInterval: 500 },
    });
    router.setMembers(['a', 'b']);
    await router.start();
    await cluster.assigned();
    let sent = 0;
    /** Sends detections of 24 subscriptions for the given time. */
    const load = async (ms: number) => {
      for (const end = performance.now() + ms; performance.now() < end; await sleep(10))
        for (const n of upTo(24)) {
          cluster.send(router, 'w', `d${n};c`);
          sent++;
        }
    };
    const allDelivered = () =>
      until(
        async () =>
          new Set(cluster.delivered.map(({ detectionId }) => detectionId)).size === sent &&
          router.stats().buffered === 0 &&
          // A command may time out while the cluster replaces a node.
          (await cluster.backlog().catch(() => null)) === 0,
        () => [
          sent,
          cluster.delivered.length,
          processes.map(({ consumer, events: own }) => [consumer.stats(), own.slice(-5)]),
          router.stats(),
          events.slice(-5),
        ],
        45_000,
      );
    return { router, load, allDelivered, sent: () => sent };
  }

  const ownersOf = (keys: readonly string[]) => Promise.all(keys.map((key) => nodes.ownerOf(key)));

  it('spreads the partitions over the nodes, and keeps the order', async () => {
    const { load, allDelivered, router, sent } = await start();
    const owners = await ownersOf(upTo(PARTITIONS).map((partition) => cluster.keys.partition(partition)));
    expect(new Set(owners).size).toBe(3);
    await load(1_000);
    await allDelivered();
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(cluster.delivered).toHaveLength(sent());
    expect(router.stats()).toMatchObject({ accepted: sent(), bufferDropped: 0, discarded: 0, dropped: 0 });
  });

  it('loses nothing and keeps the order while slots move', async () => {
    const { load, allDelivered, router, sent } = await start();
    const loading = load(6_000);
    for (const key of [...upTo(4).map((partition) => cluster.keys.partition(partition)), cluster.prefix]) {
      await sleep(500);
      const from = await nodes.ownerOf(key);
      const to = nodes.nodes.slice(0, 3).find((node) => node !== from)!;
      await nodes.moveSlotOf(key, to);
      expect(await nodes.ownerOf(key)).toBe(to);
    }
    await loading;
    await allDelivered();
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(router.stats()).toMatchObject({ accepted: sent(), bufferDropped: 0, discarded: 0, dropped: 0 });
  });

  it('loses nothing that replicas have accepted when a node is killed', async () => {
    const { load, allDelivered, router, sent } = await start({ replicas: 1, timeout: 500 });
    const loading = load(8_000);
    await sleep(1_000);
    const keys = upTo(PARTITIONS).map((partition) => cluster.keys.partition(partition));
    const before = await ownersOf(keys);
    const victim = before[0]!;
    const received = cluster.delivered.length;
    await victim.kill();
    await until(async () => (await nodes.ownerOf(keys[0]!).catch(() => victim)) !== victim);
    // It comes back as a replica of the node that has taken its slots over.
    await victim.restart();
    await loading;
    await allDelivered();
    expect(cluster.delivered.length).toBeGreaterThan(received);
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(router.stats()).toMatchObject({ accepted: sent(), bufferDropped: 0, discarded: 0, dropped: 0 });
  });
});
