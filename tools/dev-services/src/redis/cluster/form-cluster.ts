import { waitFor } from '../../support/wait-for.js';
import type { RedisService } from '../launch-redis.js';
import { withRedis } from '../with-redis.js';

/** A server in cluster mode, and its port for other nodes. */
export interface ClusterNode {
  readonly service: RedisService;
  readonly busPort: number;
}

const SLOTS = 16_384;
const TIMEOUT = 30_000;

/** Forms one cluster of separate servers: the first ones are masters, the rest their replicas. */
export async function formCluster(nodes: readonly ClusterNode[], masters: number): Promise<void> {
  const first = nodes[0]!;
  for (const [i, { service }] of nodes.slice(0, masters).entries())
    await withRedis(service, async (redis) => {
      const [from, to] = [Math.floor((i * SLOTS) / masters), Math.floor(((i + 1) * SLOTS) / masters) - 1];
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
      .slice(0, masters)
      .map(({ service }) => withRedis(service, (redis) => redis.call('CLUSTER', 'MYID'))),
  );
  await Promise.all(
    nodes.slice(masters).map(({ service }, i) =>
      withRedis(service, async (redis) => {
        await redis.call('CLUSTER', 'REPLICATE', ids[i % masters] as string);
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
        async () => (await knownReplicas(service)) === nodes.length - masters,
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
