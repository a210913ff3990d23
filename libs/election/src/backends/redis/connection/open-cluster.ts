import type { Cluster, ClusterOptions, RedisOptions } from 'ioredis';
import { PlainCluster } from './plain-cluster.js';
import { plainSettings } from './plain-commands.js';
import { isWholeCluster, type RedisSource } from './redis-source.js';
import { readClusterNodes } from './slot-topology.js';

/**
 * Opens a connection to each node of a Redis Cluster. ioredis follows slots that move. It may send a command again after a fault.
 *
 * @param settings of the connection to a node
 * @throws TypeError when the source is no cluster, or has an option that cannot be used
 */
export function openCluster(
  source: RedisSource,
  options: ClusterOptions,
  settings: RedisOptions,
  onError: (error: Error) => void,
): Cluster {
  if (!isWholeCluster(source))
    throw new TypeError('a Redis Cluster must be given as nodes or as an ioredis Cluster');
  const { seeds, settings: given, options: used } = readClusterNodes(source);
  const cluster = new PlainCluster([...seeds], {
    ...used,
    ...options,
    redisOptions: { ...given, ...settings, ...plainSettings },
  });
  cluster.on('error', onError);
  return cluster;
}
