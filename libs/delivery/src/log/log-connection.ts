import { isCluster, openCluster, watchSilence } from '@detector-cluster/election/internal/redis';
import {
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Cluster, Redis } from 'ioredis';

/** A connection on which scripts of logs run. */
export interface LogConnection {
  readonly redis: Redis | Cluster;
  /** Whether logs are on different nodes, so that a call touches one log. */
  readonly isCluster: boolean;
  close(): void;
}

/** Uses a connection to one server, which its caller opens and closes. */
export function sharedLogConnection(redis: Redis): LogConnection {
  return { redis, isCluster: false, close: () => undefined };
}

/**
 * Opens a connection for logs: one to a server, or one to each node of a Redis Cluster. There, ioredis follows slots that move. It may
 * send a command again after a fault, which does no harm because every script of logs may be repeated.
 * @param name for `CLIENT LIST`
 * @param longest how long a command may block by itself; milliseconds
 */
export function openLogConnection(
  source: RedisSource,
  name: string,
  onError: (error: Error) => void,
  longest = 0,
): LogConnection {
  const commandTimeout = COMMAND_TIMEOUT + longest;
  const settings = {
    ...commandSettings,
    commandTimeout,
    socketTimeout: 3 * commandTimeout,
    connectionName: name,
  };
  if (!isCluster(source)) {
    const redis = openRedis(source, settings, onError);
    // A process without partitions acknowledges nothing for a long time. Its first call would wait for a server that has gone.
    watchSilence(redis);
    return { redis, isCluster: false, close: () => closeRedis(redis) };
  }
  const cluster = openCluster(
    source,
    {
      enableOfflineQueue: false,
      clusterRetryStrategy: settings.retryStrategy,
      slotsRefreshInterval: 5_000,
      retryDelayOnFailover: 50,
      retryDelayOnClusterDown: 50,
      retryDelayOnTryAgain: 50,
    },
    // Redirections are followed here; a node that refuses is not dialled again for it.
    { ...settings, reconnectOnError: null },
    onError,
  );
  return { redis: cluster, isCluster: true, close: () => cluster.disconnect() };
}
