import { until } from '../../support/until.js';
import { findRedis } from '../program/find-redis.js';
import type { RedisProgram } from '../program/find-redis.js';
import { launchRedis } from '../launch-redis.js';
import type { RedisGeneration } from '../program/redis-generation.js';
import type { RedisService } from '../redis-service.js';
import { startRedis } from '../start-redis.js';
import { withRedis } from '../with-redis.js';
import type { RedisSentinelService } from './redis-sentinel-service.js';
import { writeSentinelConfig } from './sentinel-config.js';
import type { SentinelConfig } from './sentinel-config.js';
import { masterPort } from './master-port.js';

/** Options of {@link startRedisSentinel}. */
export interface StartRedisSentinelOptions {
  /** Default 1. */
  replicas?: number;
  /** Most of them must agree. Default 1. */
  sentinels?: number;
  /** A master counts as down after this long without an answer. Milliseconds. Default 1,000. */
  downAfter?: number;
  /** Default `'any'`. */
  generation?: RedisGeneration | 'any';
  /** More arguments of the data servers. */
  args?: readonly string[];
}

const NAME = 'mymaster';

/**
 * Starts a private master, its replicas and their sentinels, and waits until a failover is possible. All end with this
 * process at the latest.
 * @throws NoRedisError, RedisGenerationUnavailableError, ServerStartError
 */
export async function startRedisSentinel(
  options: StartRedisSentinelOptions = {},
): Promise<RedisSentinelService> {
  const { replicas = 1, sentinels = 1, downAfter = 1_000, generation = 'any', args = [] } = options;
  const program = await findRedis(generation);
  const running: RedisService[] = [];
  const stop = async () => {
    await Promise.all(running.map((service) => service.stop()));
  };
  const keep = async (start: Promise<RedisService>) => {
    const service = await start;
    running.push(service);
    return service;
  };
  try {
    const data = ['--repl-diskless-sync-delay', '0', ...args];
    const master = await keep(startRedis({ generation, args: data }));
    const replicaOf = ['--replicaof', master.host, String(master.port)];
    const nodes = [master];
    for (let i = 0; i < replicas; i++)
      nodes.push(await keep(startRedis({ generation, args: [...data, ...replicaOf] })));
    const watchers: RedisService[] = [];
    for (let i = 0; i < sentinels; i++)
      watchers.push(
        await keep(
          startSentinel(program, { name: NAME, master, quorum: Math.floor(sentinels / 2) + 1, downAfter }),
        ),
      );
    await Promise.all(watchers.map((watcher) => whenWatching(watcher, replicas, sentinels)));

    const nodeAt = async (watcher: RedisService) => {
      const port = await masterPort(watcher, NAME);
      return nodes.find((node) => node.port === port);
    };
    const promoted = (before: RedisService) =>
      until('promotion of another master', async () => {
        const [after, ...others] = await Promise.all(watchers.map(nodeAt));
        if (!after || after === before || others.some((other) => other !== after)) return undefined;
        const role = await withRedis(after, (redis) => redis.info('replication')).catch(() => '');
        return role.includes('role:master') ? after : undefined;
      });
    const current = async () => (await nodeAt(watchers[0]!)) ?? master;
    return {
      name: NAME,
      sentinels: watchers.map(({ host, port }) => ({ host, port })),
      nodes,
      watchers,
      master: current,
      promoted,
      async failover() {
        const before = await current();
        await withRedis(watchers[0]!, (redis) => redis.call('SENTINEL', 'FAILOVER', NAME));
        return promoted(before);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startSentinel(
  program: RedisProgram,
  watch: Omit<SentinelConfig, 'port' | 'directory'>,
): Promise<RedisService> {
  return launchRedis(program, async (directory, port) => ({
    args: [await writeSentinelConfig({ ...watch, port, directory }), '--sentinel'],
  }));
}

/** A sentinel refuses to fail over until it knows a replica and enough other sentinels. */
async function whenWatching(watcher: RedisService, replicas: number, sentinels: number): Promise<void> {
  await until('the sentinels to know each other and the replicas', () =>
    withRedis(watcher, async (redis) => {
      const fields = (await redis.call('SENTINEL', 'MASTER', NAME)) as string[];
      const value = (name: string) => Number(fields[fields.indexOf(name) + 1]);
      if (value('num-slaves') < replicas || value('num-other-sentinels') < sentinels - 1) return undefined;
      const list = (await redis.call('SENTINEL', 'REPLICAS', NAME)) as string[][];
      return (
        list.every((replica) => replica[replica.indexOf('master-link-status') + 1] === 'ok') || undefined
      );
    }),
  );
}
