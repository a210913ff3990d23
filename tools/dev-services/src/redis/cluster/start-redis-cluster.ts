import { freePort } from '../../support/free-port.js';
import type { RedisGeneration } from '../program/redis-generation.js';
import type { RedisService } from '../redis-service.js';
import { startRedis } from '../start-redis.js';
import { formCluster } from './form-cluster.js';
import type { ClusterNode } from './form-cluster.js';
import { moveSlot, ownerOfSlot, slotOf } from './slots.js';
import type { RedisClusterService } from './redis-cluster-service.js';

/** Options of {@link startRedisCluster}. */
export interface StartRedisClusterOptions {
  /** Masters, at least 3. Default 3. */
  nodes?: number;
  /** Replicas of each master. Default 0. */
  replicas?: number;
  /** A node counts as failed after this long without an answer. Milliseconds. Default 1,000. */
  nodeTimeout?: number;
  /** From Redis 7.0 on. Default `'any'`. */
  generation?: RedisGeneration | 'any';
  /** More arguments of every node. */
  args?: readonly string[];
}

/**
 * Starts a private cluster and waits until every node serves. It ends with this process at the latest.
 * @throws NoRedisError, RedisGenerationUnavailableError, ServerStartError
 */
export async function startRedisCluster(
  options: StartRedisClusterOptions = {},
): Promise<RedisClusterService> {
  const { nodes: masters = 3, replicas = 0, nodeTimeout = 1_000, generation = 'any', args = [] } = options;
  const startNode = async (): Promise<ClusterNode> => {
    let busPort = 0;
    const service = await startRedis({
      generation,
      args: async () => {
        busPort = await freePort();
        return [
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          String(busPort),
          '--cluster-node-timeout',
          String(nodeTimeout),
          '--repl-diskless-sync-delay',
          '0',
          ...args,
        ];
      },
    });
    return { service, busPort };
  };
  const started = await Promise.allSettled(Array.from({ length: masters * (1 + replicas) }, startNode));
  const nodes = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const services: readonly RedisService[] = nodes.map(({ service }) => service);
  const stop = async () => {
    await Promise.all(services.map((service) => service.stop()));
  };
  try {
    const failed = started.find((start) => start.status === 'rejected');
    if (failed) throw failed.reason;
    await formCluster(nodes, masters);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    nodes: services,
    ownerOf: async (key) => ownerOfSlot(services, await slotOf(services, key)),
    moveSlotOf: async (key, to) => moveSlot(services, await slotOf(services, key), to),
    stop,
  };
}
