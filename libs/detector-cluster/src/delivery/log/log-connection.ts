import { isCluster } from '@detector-cluster/election/internal/redis';
import {
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  type RedisSource,
} from '@detector-cluster/election/redis';
import { Cluster, type Redis, type RedisOptions } from 'ioredis';

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
    return { redis, isCluster: false, close: () => closeRedis(redis) };
  }
  const cluster = openCluster(source, settings);
  cluster.on('error', onError);
  return { redis: cluster, isCluster: true, close: () => cluster.disconnect() };
}

function openCluster(source: RedisSource, settings: RedisOptions): Cluster {
  // Redirections are followed here; a node that refuses is not dialled again for it.
  const redisOptions = { ...settings, reconnectOnError: null };
  const options = {
    redisOptions,
    enableOfflineQueue: false,
    clusterRetryStrategy: settings.retryStrategy,
    slotsRefreshInterval: 5_000,
    retryDelayOnFailover: 50,
    retryDelayOnClusterDown: 50,
    retryDelayOnTryAgain: 50,
  };
  if (source instanceof Cluster)
    return source.duplicate([], {
      ...source.options,
      ...options,
      redisOptions: { ...source.options.redisOptions, ...redisOptions },
      lazyConnect: false,
    });
  if (typeof source === 'object' && 'cluster' in source && typeof source.cluster === 'object') {
    const { nodes, options: given = {} } = source.cluster;
    return new Cluster([...nodes], {
      ...given,
      ...options,
      redisOptions: { ...given.redisOptions, ...redisOptions },
    });
  }
  throw new TypeError('a Redis Cluster must be given as nodes or as an ioredis Cluster');
}
