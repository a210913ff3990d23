import { isAlive } from '../support/process-state.js';
import { freePort } from '../support/free-port.js';
import { startAll } from '../support/start-all.js';
import { waitFor } from '../support/wait-for.js';
import type { RedisService } from './launch-redis.js';
import type { RedisGeneration } from './find-redis.js';
import { startRedis } from './start-redis.js';
import { withRedis } from './with-redis.js';

/** The slot of a key, or of its hash tag if it has one. */
async function slotOf(nodes: readonly RedisService[], key: string): Promise<number> {
  const node = nodes.find(({ pid }) => isAlive(pid));
  if (!node) throw new Error('no node of the cluster runs');
  return withRedis(node, async (redis) => Number(await redis.call('CLUSTER', 'KEYSLOT', key)));
}

/** The master that itself claims to serve a slot. */
async function ownerOfSlot(nodes: readonly RedisService[], slot: number): Promise<RedisService> {
  for (const node of nodes.filter(({ pid }) => isAlive(pid))) {
    const serves = await withRedis(node, async (redis) => {
      const lines = String(await redis.cluster('NODES')).split('\n');
      const mine = lines.find((line) => line.includes('myself'))?.split(' ') ?? [];
      return mine[2]!.includes('master') && mine.slice(8).some((range) => contains(range, slot));
    }).catch(() => false);
    if (serves) return node;
  }
  throw new Error(`no node serves slot ${slot}`);
}

/** Moves a slot and its keys like `redis-cli --cluster reshard`. */
async function moveSlot(nodes: readonly RedisService[], slot: number, to: RedisService): Promise<void> {
  const from = await ownerOfSlot(nodes, slot);
  if (from === to) return;
  const [source, target] = [await idOf(from), await idOf(to)];
  await withRedis(to, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source));
  await withRedis(from, async (redis) => {
    await redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target);
    for (;;) {
      const keys = (await redis.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
      if (keys.length === 0) break;
      await redis.call('MIGRATE', to.host, to.port, '', 0, 5_000, 'REPLACE', 'KEYS', ...keys);
    }
  });
  // The new owner comes first, so that it accepts the keys from the old one.
  const masters = [to, from, ...nodes.filter((node) => node !== to && node !== from)];
  for (const node of masters)
    await withRedis(node, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', target)).catch(
      (error: Error) => {
        // Replicas learn the change from their masters.
        if (!/only with masters/i.test(error.message)) throw error;
      },
    );
}

const idOf = (node: RedisService) =>
  withRedis(node, async (redis) => String(await redis.call('CLUSTER', 'MYID')));

function contains(range: string, slot: number): boolean {
  if (range.startsWith('[')) return false;
  const [first, last = first] = range.split('-').map(Number);
  return first! <= slot && slot <= last!;
}

/** A server in cluster mode, and its port for other nodes. */
interface ClusterNode {
  readonly service: RedisService;
  readonly busPort: number;
}

const MASTERS = 3;
const SLOTS = 16_384;
const TIMEOUT = 30_000;

/** Forms one cluster of separate servers: the first ones are masters, the rest their replicas. */
async function formCluster(nodes: readonly ClusterNode[]): Promise<void> {
  const first = nodes[0]!;
  for (const [i, { service }] of nodes.slice(0, MASTERS).entries())
    await withRedis(service, async (redis) => {
      const [from, to] = [Math.floor((i * SLOTS) / MASTERS), Math.floor(((i + 1) * SLOTS) / MASTERS) - 1];
      await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    });
  await withRedis(first.service, async (redis) => {
    for (const { service, busPort } of nodes.slice(1))
      await redis.call('CLUSTER', 'MEET', service.host, service.port, busPort);
  });
  await Promise.all(nodes.map(({ service }) => whenServing(service, nodes.length)));
  const ids = await Promise.all(
    nodes
      .slice(0, MASTERS)
      .map(({ service }) => withRedis(service, (redis) => redis.call('CLUSTER', 'MYID'))),
  );
  await Promise.all(
    nodes.slice(MASTERS).map(({ service }, i) =>
      withRedis(service, async (redis) => {
        await redis.call('CLUSTER', 'REPLICATE', ids[i % MASTERS] as string);
        await waitFor(`replica ${service.url}`, TIMEOUT, async () =>
          /master_link_status:up/.test(await redis.info('replication')),
        );
      }),
    ),
  );
  // Every node must be able to report the replicas to clients.
  await Promise.all(
    nodes.map(({ service }) =>
      waitFor(
        `${service.url} to know all replicas`,
        TIMEOUT,
        async () => (await knownReplicas(service)) === nodes.length - MASTERS,
      ),
    ),
  );
}

async function whenServing(service: RedisService, size: number): Promise<void> {
  await withRedis(service, (redis) =>
    waitFor(`${service.url} to serve`, TIMEOUT, async () => {
      const info = String(await redis.cluster('INFO'));
      return /cluster_state:ok/.test(info) && info.includes(`cluster_known_nodes:${size}\r`);
    }),
  );
}

function knownReplicas(service: RedisService): Promise<number> {
  return withRedis(service, async (redis) => {
    const lines = String(await redis.cluster('NODES')).split('\n');
    return lines.filter((line) => line.includes('slave')).length;
  });
}

/** A private Redis Cluster on 127.0.0.1. */
export interface RedisClusterService {
  /** The initial masters, then their replicas in the same order. */
  readonly nodes: readonly RedisService[];
  /** The node that currently serves a key, according to the nodes that answer. */
  ownerOf(key: string): Promise<RedisService>;
  /** Moves the slot of `key`, with all keys in it, to another master. */
  moveSlotOf(key: string, to: RedisService): Promise<void>;
  /** Ends all nodes permanently. */
  stop(): Promise<void>;
}

/** Options of {@link startRedisCluster}. */
interface StartRedisClusterOptions {
  /** Replicas of each of the three masters. Default 0. */
  replicas?: number;
  /** From Redis 7.0 on. Default `'any'`. */
  generation?: RedisGeneration | 'any';
}

/**
 * Starts a private cluster and waits until every node serves. It ends with this process at the latest.
 * @throws ProgramUnavailableError, RedisGenerationUnavailableError, ServerStartError
 */
export async function startRedisCluster(
  options: StartRedisClusterOptions = {},
): Promise<RedisClusterService> {
  const { replicas = 0, generation = 'any' } = options;
  const startNode = async () => {
    let busPort = 0;
    const service = await startRedis({
      generation,
      args: async () => {
        busPort = await freePort();
        const settings = {
          '--cluster-enabled': 'yes',
          '--cluster-port': String(busPort),
          '--cluster-node-timeout': '1000',
          '--repl-diskless-sync-delay': '0',
        };
        return Object.entries(settings).flat();
      },
    });
    return { service, busPort, stop: () => service.stop() };
  };
  const nodes = await startAll(Array.from({ length: MASTERS * (1 + replicas) }, startNode));
  const services: readonly RedisService[] = nodes.map(({ service }) => service);
  const stop = async () => void (await Promise.all(services.map((service) => service.stop())));
  try {
    await formCluster(nodes);
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
