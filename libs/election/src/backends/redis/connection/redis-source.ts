import { Cluster, type ClusterNode, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { REDIS_OPTION_RULES, usableOptions } from './ioredis-options.js';
import { isSlotConnector } from './slot-connector.js';

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
  return isSlotConnector(optionsOf(source as DirectRedisSource).Connector);
}

/** The number of the database that connections of this source use. A cluster has only database 0. */
export function databaseOf(source: RedisSource): number {
  return isWholeCluster(source) ? 0 : (optionsOf(source).db ?? 0);
}

const SCHEMES: ReadonlySet<string> = new Set(['redis', 'rediss', 'unix']);

/** One of them says where Redis is. */
const ADDRESS = ['host', 'port', 'path', 'sentinels', 'Connector'] as const;

/**
 * The options of ioredis that connections to a source have. An instance may come from another copy of ioredis.
 * @throws TypeError when the source does not say where Redis is (ioredis would connect to localhost), or has an option that cannot be used
 */
export function optionsOf(source: DirectRedisSource): RedisOptions {
  const options = givenOptions(source);
  const ownNames = options.Connector ? 'use' : 'refuse';
  const unknown = typeof source !== 'string' && isInstance(source) && !options.Connector ? 'drop' : ownNames;
  return usableOptions(options, REDIS_OPTION_RULES, { path: 'redis', unknown });
}

function givenOptions(source: DirectRedisSource): RedisOptions {
  if (typeof source === 'string') {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(source)?.[1]?.toLowerCase();
    if (scheme !== undefined && !SCHEMES.has(scheme))
      throw new TypeError(`redis: '${scheme}://' is not a URL of Redis: use redis://, rediss:// or unix://`);
    return new Redis(source, { lazyConnect: true }).options;
  }
  if (isInstance(source)) {
    if ('startupNodes' in source)
      throw new TypeError(
        'redis: this Cluster comes from another copy of ioredis: pass { cluster: { nodes, options } } instead',
      );
    return source.options;
  }
  if (typeof source !== 'object' || source === null || !ADDRESS.some((name) => source[name] !== undefined))
    throw new TypeError(
      'redis must be a URL, options of ioredis with host, port, path or sentinels, or an instance of ioredis; ' +
        'a client of another library cannot be used',
    );
  return source;
}

/** Every instance has this method, whichever copy of ioredis it comes from; clients of other libraries and options have not. */
function isInstance(source: RedisOptions | Redis | null | undefined): source is Redis {
  return typeof (source as Redis | null | undefined)?.defineCommand === 'function';
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

/** The subcommand of `PUBSUB` that counts the listeners of presence channels. */
export function listenerCount(source: RedisSource): 'NUMSUB' | 'SHARDNUMSUB' {
  return isCluster(source) ? 'SHARDNUMSUB' : 'NUMSUB';
}
