import type { ElectionBackend } from '@detector-cluster/election';
import { UsageError } from './usage.error.js';
import { type BackendOptions, etcdSource, postgresUrl, redisUrl } from './backend-options.js';
import { openGroupBackend } from './open-group-backend.js';

interface OpenBackendOptions {
  /** Receives what an operator should know. */
  readonly onWarning: (message: string) => void;
  /** Where the console says what can be typed. */
  readonly output: NodeJS.WritableStream;
  /** Something else than an update was typed into the console. */
  readonly onUnknown: (line: string) => void;
  /** Updates were typed into the console during the error state. */
  readonly onDropped: (count: number) => void;
}

/** Opens the backend that the flags name. Loads only the client of the store in use. */
export async function openBackend(
  options: BackendOptions & { readonly lockTtl: number },
  { onWarning, output, onUnknown, onDropped }: OpenBackendOptions,
): Promise<ElectionBackend> {
  const { backend, lockName, lockTtl } = options;
  try {
    switch (backend) {
      case 'redis': {
        const { RedisElectionBackend } = await import('@detector-cluster/election/redis');
        return new RedisElectionBackend({
          redis: redisUrl(options),
          lockName,
          onWarning,
          ...redisTimes(lockTtl),
          // A command takes longer to end than a lease that rests on presence is valid.
          crashDetection: 'lease',
        });
      }
      case 'etcd': {
        const { EtcdElectionBackend } = await import('@detector-cluster/election/etcd');
        return new EtcdElectionBackend({ etcd: etcdSource(options), lockName, lockTtl });
      }
      case 'postgres': {
        const { PostgresElectionBackend } = await import('@detector-cluster/election/postgres');
        const [postgres, table] = [postgresUrl(options), options.postgresTable];
        return new PostgresElectionBackend({ postgres, table, lockName, lockTtl });
      }
      case 'memory': {
        const { MemoryElectionBackend, MemoryElectionStore } =
          await import('@detector-cluster/election/memory');
        return new MemoryElectionBackend({ store: new MemoryElectionStore({ lockTtl }) });
      }
      case 'console': {
        const { ConsoleElectionBackend } = await import('@detector-cluster/election/console');
        return new ConsoleElectionBackend({ output: output as NodeJS.WriteStream, onUnknown, onDropped });
      }
      case 'group':
        return await openGroupBackend(options, onWarning);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(flagsOf(error.message), { cause: error });
    throw error;
  }
}

function redisTimes(lockTtl: number) {
  return {
    lockTtl,
    heartbeatInterval: Math.max(1, Math.floor(lockTtl / 3)),
    checkInterval: Math.max(1, Math.floor(lockTtl / 6)),
  };
}

/** The libraries name their options. */
function flagsOf(message: string): string {
  return message
    .replaceAll('lockTtl', '--lock-ttl')
    .replaceAll('lockName', '--lock-name')
    .replaceAll('etcd.endpoints', '--etcd-endpoints')
    .replaceAll('etcd.username', '--etcd-username')
    .replaceAll('etcd.password', '--etcd-password')
    .replaceAll('etcd.tls', '--etcd-cacert or --etcd-cert')
    .replace(/^table must/, '--postgres-table must');
}
