import type { ElectionControl } from '@detector-cluster/election';
import { UsageError } from '../cli/usage.error.js';
import type { BackendOptions } from './backend-options.js';
import { etcdSource } from './etcd-source.js';
import { postgresUrl, redisUrl } from './store-urls.js';

/** Control of the election from outside; `undefined` for a backend that only its own process can see. */
export async function openControl(options: BackendOptions): Promise<ElectionControl | undefined> {
  const { backend, lockName } = options;
  switch (backend) {
    case 'redis': {
      const { RedisElectionControl } = await import('@detector-cluster/election/redis');
      return new RedisElectionControl({ redis: redisUrl(options), lockName });
    }
    case 'etcd': {
      const { EtcdElectionControl } = await import('@detector-cluster/election/etcd');
      return new EtcdElectionControl({ etcd: etcdSource(options), lockName });
    }
    case 'postgres': {
      const { PostgresElectionControl } = await import('@detector-cluster/election/postgres');
      return new PostgresElectionControl({
        postgres: postgresUrl(options),
        table: options.postgresTable,
        lockName,
      });
    }
    default:
      return undefined;
  }
}

/** @throws UsageError */
export async function requireControl(options: BackendOptions): Promise<ElectionControl> {
  const control = await openControl(options);
  if (!control)
    throw new UsageError(
      `--backend ${options.backend} cannot be looked at from another process: use redis, etcd or postgres`,
    );
  return control;
}
