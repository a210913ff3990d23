import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../support/wait-for.js';
import { findRedis, type RedisProgram } from './find-redis.js';
import { launchRedis, type RedisService } from './launch-redis.js';
import { startRedis } from './start-redis.js';
import { withRedis } from './with-redis.js';

/** A private master with a replica, watched over by a sentinel, on 127.0.0.1. */
export interface RedisSentinelService {
  /** The name under which the sentinel knows the master. */
  readonly name: string;
  /** For a client: `new Redis({ sentinels, name })`. */
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The first master, then the replica. */
  readonly nodes: readonly RedisService[];
  /** The process of the sentinel. */
  readonly watcher: RedisService;
  /** The master according to the sentinel. */
  master(): Promise<RedisService>;
  /** Makes the sentinel promote the replica. Waits until it is a master. Returns the new master. */
  failover(): Promise<RedisService>;
  /** Waits until the sentinel has promoted a node other than `before`, which has been killed or frozen. */
  promoted(before: RedisService): Promise<RedisService>;
  /** Ends all servers permanently. */
  stop(): Promise<void>;
}

const NAME = 'mymaster';
const TIMEOUT = 30_000;
/** A master counts as down after this long without an answer. Milliseconds. */
const DOWN_AFTER = 1_000;

/**
 * Starts a private master, its replica and their sentinel, and waits until a failover is possible. All end with this
 * process at the latest.
 * @throws ProgramUnavailableError, ServerStartError
 */
export async function startRedisSentinel(): Promise<RedisSentinelService> {
  const program = await findRedis('any');
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
    const args = ['--repl-diskless-sync-delay', '0'];
    const master = await keep(startRedis({ args }));
    const replicaOf = ['--replicaof', master.host, String(master.port)];
    const nodes = [master, await keep(startRedis({ args: [...args, ...replicaOf] }))];
    const watcher = await keep(startSentinel(program, master));
    await whenWatching(watcher);

    const current = async () => {
      const port = await masterPort(watcher);
      return nodes.find((node) => node.port === port) ?? master;
    };
    const promoted = (before: RedisService) =>
      waitFor('promotion of another master', TIMEOUT, async () => {
        const after = await current();
        if (after === before) return undefined;
        const role = await withRedis(after, (redis) => redis.info('replication'));
        return role.includes('role:master') && after;
      });
    return {
      name: NAME,
      sentinels: [{ host: watcher.host, port: watcher.port }],
      nodes,
      watcher,
      master: current,
      promoted,
      async failover() {
        const before = await current();
        await withRedis(watcher, (redis) => redis.call('SENTINEL', 'FAILOVER', NAME));
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
function startSentinel(program: RedisProgram, { host, port: masterAt }: RedisService): Promise<RedisService> {
  return launchRedis(program, async (directory, port) => {
    const file = join(directory, 'sentinel.conf');
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir "${directory}"`,
      `sentinel monitor ${NAME} ${host} ${masterAt} 1`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER}`,
      // Also how long a sentinel waits before it retries a failed failover.
      `sentinel failover-timeout ${NAME} 5000`,
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    return { args: [file, '--sentinel'] };
  });
}

/** Port of the master according to the sentinel; `undefined` if the sentinel does not answer. */
async function masterPort(watcher: RedisService): Promise<number | undefined> {
  const address = await withRedis(watcher, (redis) =>
    redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME),
  ).catch(() => null);
  return Array.isArray(address) ? Number(address[1]) : undefined;
}

/** A sentinel refuses to fail over until it knows the replica. */
async function whenWatching(watcher: RedisService): Promise<void> {
  await waitFor('the sentinel to know the replica', TIMEOUT, () =>
    withRedis(watcher, async (redis) => {
      const [replica] = (await redis.call('SENTINEL', 'REPLICAS', NAME)) as string[][];
      return replica !== undefined && replica[replica.indexOf('master-link-status') + 1] === 'ok';
    }),
  );
}
