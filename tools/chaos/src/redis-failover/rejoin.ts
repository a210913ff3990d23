import type { RedisSentinelService, RedisService } from '@detector-cluster/dev-services';
import { until } from '../support/until.js';
import { call } from './call.js';

const TIMEOUT = 30_000;

/**
 * Starts a killed server as a replica of the current master. Resolves when the sentinel knows that it could take over.
 * Sentinel itself would make it a replica only after about ten seconds.
 */
export async function rejoin(
  sentinel: RedisSentinelService,
  killed: RedisService,
  master: RedisService,
  signal: AbortSignal,
): Promise<void> {
  // During the failover the sentinel still watches the killed server, and would consider a replica there a failed master.
  await until(signal, 'the sentinel to watch the new master', TIMEOUT, () =>
    call(sentinel.watchers[0]!, async (redis) => {
      const { flags, port } = toRecord((await redis.call('SENTINEL', 'MASTER', sentinel.name)) as string[]);
      return flags === 'master' && Number(port) === master.port ? true : null;
    }),
  );
  await killed.start();
  await call(killed, (redis) => redis.replicaof(master.host, master.port));
  await until(signal, 'the server to be a replica again', TIMEOUT, () =>
    call(sentinel.watchers[0]!, async (redis) => {
      const replicas = (await redis.call('SENTINEL', 'REPLICAS', sentinel.name)) as string[][];
      const found = replicas.map(toRecord).find(({ port }) => Number(port) === killed.port);
      return found?.flags === 'slave' && found['master-link-status'] === 'ok' ? true : null;
    }),
  );
}

const toRecord = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: fields.length / 2 }, (_, i) => [fields[2 * i]!, fields[2 * i + 1]!]),
  );
