import { startRedisCluster, type RedisClusterService } from '@detector-cluster/dev-services';
import { slotSource } from '@detector-cluster/election/internal/redis';
import { SharedSubscriber } from '@detector-cluster/election/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveOptions } from '../options/resolve-options.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { MasterCommandServer, type MasterCommand } from './master-command-server.js';
import { SubscriptionTrigger } from './subscription-trigger.js';
import { until } from '../../../../test/support/until.js';

describe('commands to the master on a Redis Cluster', () => {
  let cluster: RedisClusterService;
  const keyPrefix = '{detector}:';
  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 60_000);
  afterAll(() => cluster.stop());
  const source = () => ({ cluster: { nodes: cluster.nodes.map(({ host, port }) => ({ host, port })) } });

  it('arrive, also after the slot of the prefix has moved', async () => {
    const redis = source();
    const received: MasterCommand[] = [];
    const slot = slotSource(redis, 'keyPrefix', keyPrefix);
    const subscriber = new SharedSubscriber(slot);
    const server = new MasterCommandServer({
      subscriber,
      keys: clusterKeys(keyPrefix),
      onCommand: (command) => received.push(command),
    });
    server.open();
    const trigger = new SubscriptionTrigger({ redis, keyPrefix });
    const arrives = async (change: string) => {
      // Fire and forget: a message sent before both sides are connected may be lost.
      const sending = setInterval(() => trigger.triggerSubscriptionUpdate(change), 50);
      await until(() => received.some((command) => 'reason' in command && command.reason === change)).finally(
        () => clearInterval(sending),
      );
    };
    try {
      await arrives('before');
      const owner = await cluster.ownerOf(keyPrefix);
      await cluster.moveSlotOf(
        keyPrefix,
        cluster.nodes.find((node) => node !== owner)!,
      );
      await arrives('after');
    } finally {
      await trigger.close();
      server.close();
      subscriber.close();
    }
  }, 30_000);

  it('need a prefix with a hash tag', () => {
    const options = { redis: source(), workers: [] };
    expect(() => resolveOptions(options)).toThrow(/keyPrefix must contain a hash tag on a Redis Cluster/);
    expect(() => new SubscriptionTrigger({ redis: source() })).toThrow(/keyPrefix must contain a hash tag/);
    expect(resolveOptions({ ...options, keyPrefix })).toMatchObject({ keyPrefix });
  });
});
