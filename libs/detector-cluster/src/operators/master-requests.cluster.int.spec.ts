import { startRedisCluster, type RedisClusterService } from '@detector-cluster/dev-services';
import { slotSource } from '@detector-cluster/election/internal/redis';
import { closeRedis, commandSettings, openRedis, SharedSubscriber } from '@detector-cluster/election/redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterKeys } from '../shared/cluster-keys.js';
import { FakeControls } from './fake-controls.fixture.js';
import { MasterRequests } from './master-requests.js';

const PREFIX = '{detector}:';

let cluster: RedisClusterService;
beforeAll(async () => {
  cluster = await startRedisCluster();
}, 60_000);
afterAll(() => cluster.stop());

const source = () =>
  slotSource(
    { cluster: { nodes: cluster.nodes.map(({ host, port }) => ({ host, port })) } },
    'keyPrefix',
    PREFIX,
  );

it('requests to the master are answered on a Redis Cluster, also after the slot of the prefix has moved', async () => {
  const controls = new FakeControls();
  const [master, other] = [controls, null].map((own, i) => {
    const publisher = openRedis(source(), commandSettings);
    const subscriber = new SharedSubscriber(source());
    const requests = new MasterRequests({
      subscriber,
      publisher,
      keys: clusterKeys(PREFIX),
      processId: `p${i}`,
      controls: () => own,
    });
    requests.open();
    return { publisher, subscriber, requests };
  }) as [Side, Side];
  const rebalance = () => other.requests.call('rebalance', {}, { call: 'rebalance', timeout: 15_000 });
  try {
    await expect(rebalance()).resolves.toBe(true);
    const owner = await cluster.ownerOf(PREFIX);
    await cluster.moveSlotOf(
      PREFIX,
      cluster.nodes.find((node) => node !== owner)!,
    );
    await expect(rebalance()).resolves.toBe(true);
    expect(controls.asked).toEqual(['rebalance', 'rebalance']);
  } finally {
    for (const { publisher, subscriber, requests } of [master, other]) {
      requests.close();
      subscriber.close();
      closeRedis(publisher);
    }
  }
}, 40_000);

interface Side {
  readonly publisher: ReturnType<typeof openRedis>;
  readonly subscriber: SharedSubscriber;
  readonly requests: MasterRequests;
}
