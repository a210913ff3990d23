import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../support/wait-for.js';
import { launchRedis, type RedisService } from './launch-redis.js';
import { findRedis, type RedisGeneration, type RedisProgram } from './find-redis.js';
import { startRedis } from './start-redis.js';
import { withRedis } from './with-redis.js';

/** A private master with replicas, watched over by sentinels, on 127.0.0.1. */
export interface RedisSentinelService {
  /** The name under which the sentinels know the master. */
  readonly name: string;
  /** For a client: `new Redis({ sentinels, name })`. */
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The first master, then the replicas. */
  readonly nodes: readonly RedisService[];
  /** The processes of the sentinels. */
  readonly watchers: readonly RedisService[];
  /** The master according to the sentinels. */
  master(): Promise<RedisService>;
  /** Makes the sentinels promote a replica. Waits until all of them agree and it is a master. Returns the new master. */
  failover(): Promise<RedisService>;
  /** Waits until the sentinels have promoted a node other than `before`, which has been killed or frozen. */
  promoted(before: RedisService): Promise<RedisService>;
  /** Ends all servers permanently. */
  stop(): Promise<void>;
}

/** Port of the master according to one sentinel; `undefined` if the sentinel does not answer. */
async function masterPort(sentinel: RedisService, name: string): Promise<number | undefined> {
  const address = await withRedis(sentinel, (redis) =>
    redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name),
  ).catch(() => null);
  return Array.isArray(address) ? Number(address[1]) : undefined;
}

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
const TIMEOUT = 30_000;

/**
 * Starts a private master, its replicas and their sentinels, and waits until a failover is possible. All end with this
 * process at the latest.
 * @throws ProgramUnavailableError, RedisGenerationUnavailableError, ServerStartError
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
          startSentinel(program, [
            `sentinel monitor ${NAME} ${master.host} ${master.port} ${Math.floor(sentinels / 2) + 1}`,
            `sentinel down-after-milliseconds ${NAME} ${downAfter}`,
            // Also how long a sentinel waits before it retries a failed failover.
            `sentinel failover-timeout ${NAME} 5000`,
          ]),
        ),
      );
    await Promise.all(watchers.map((watcher) => whenWatching(watcher, replicas, sentinels)));

    const nodeAt = async (watcher: RedisService) => {
      const port = await masterPort(watcher, NAME);
      return nodes.find((node) => node.port === port);
    };
    const promoted = (before: RedisService) =>
      waitFor('promotion of another master', TIMEOUT, async () => {
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

/** A sentinel requires a file, because it keeps its state there. */
function startSentinel(program: RedisProgram, settings: readonly string[]): Promise<RedisService> {
  return launchRedis(program, async (directory, port) => {
    const file = join(directory, 'sentinel.conf');
    const lines = [`port ${port}`, 'bind 127.0.0.1', `dir "${directory}"`, ...settings];
    await writeFile(file, `${lines.join('\n')}\n`);
    return { args: [file, '--sentinel'] };
  });
}

/** A sentinel refuses to fail over until it knows a replica and enough other sentinels. */
async function whenWatching(watcher: RedisService, replicas: number, sentinels: number): Promise<void> {
  await waitFor('the sentinels to know each other and the replicas', TIMEOUT, () =>
    withRedis(watcher, async (redis) => {
      const fields = (await redis.call('SENTINEL', 'MASTER', NAME)) as string[];
      const value = (name: string) => Number(fields[fields.indexOf(name) + 1]);
      if (value('num-slaves') < replicas || value('num-other-sentinels') < sentinels - 1) return undefined;
      const list = (await redis.call('SENTINEL', 'REPLICAS', NAME)) as string[][];
      return list.every((replica) => replica[replica.indexOf('master-link-status') + 1] === 'ok');
    }),
  );
}
