import { Cluster, Redis, type ClusterNode, type ClusterOptions, type RedisOptions } from 'ioredis';
import { isSlotConnector } from './cluster/slot-connector.js';

/** Where a Redis Cluster is: some of its nodes, and ioredis options for all of them. */
export interface RedisClusterSource {
  readonly cluster: { readonly nodes: readonly ClusterNode[]; readonly options?: ClusterOptions };
}

/**
 * What a plain connection can be made of: a URL, ioredis options (also with `sentinels`), or an instance whose settings are
 * copied (the instance itself is not used).
 */
export type DirectRedisSource = string | RedisOptions | Redis;

/** Where Redis is. Of a cluster, too, an instance is used for its settings only. */
export type RedisSource = DirectRedisSource | Cluster | RedisClusterSource;

/** Whether the source is a cluster whose slot is still open. */
export function isWholeCluster(source: RedisSource): source is Cluster | RedisClusterSource {
  return source instanceof Cluster || (typeof source === 'object' && 'cluster' in source && isNodes(source));
}

/**
 * Whether connections of this source are to a Redis Cluster, so that listeners have to be counted with
 * `PUBSUB SHARDNUMSUB`, and presence has to be shown with `SSUBSCRIBE`.
 */
export function isCluster(source: RedisSource): boolean {
  if (typeof source === 'string') return false;
  if (isWholeCluster(source)) return true;
  const options = 'options' in source && 'duplicate' in source ? source.options : (source as RedisOptions);
  return isSlotConnector(options.Connector);
}

/** The number of the database that connections of this source use. A cluster has only database 0. */
export function databaseOf(source: RedisSource): number {
  if (isWholeCluster(source)) return 0;
  const { options } =
    typeof source === 'string'
      ? new Redis(source, { lazyConnect: true })
      : 'options' in source && 'duplicate' in source
        ? source
        : { options: source };
  return options.db ?? 0;
}

/**
 * The prefix for channels that belong to keys with `prefix` in the given database. Redis delivers messages across its databases, so
 * that channels carry the number of every database but 0: `app:` and 5 give `app:db5:`.
 */
export function channelPrefix(prefix: string, database: number): string {
  return database === 0 ? prefix : `${prefix}db${database}:`;
}

// Every `Redis` has a method of this name.
const isNodes = (source: object): boolean => typeof Reflect.get(source, 'cluster') === 'object';
