import { Cluster, Redis, type ClusterNode, type NatMap, type RedisOptions } from 'ioredis';
import type { RedisClusterSource } from '../redis-source.js';

/** Where one node listens. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The nodes and settings needed to find a slot's node in a cluster. */
export interface ClusterNodes {
  /** Those named by the user. */
  readonly seeds: readonly NodeAddress[];
  /** Settings of a connection to any node: credentials, TLS, and so on. */
  readonly settings: RedisOptions;
  readonly natMap: NatMap | undefined;
}

/**
 * Reads nodes and settings from the ways to name a cluster.
 * @throws TypeError that names what is missing or cannot be used.
 */
export function readClusterNodes(source: Cluster | RedisClusterSource): ClusterNodes {
  const { nodes, options = {} } =
    source instanceof Cluster ? { nodes: nodesOf(source), options: source.options } : source.cluster;
  if (!Array.isArray(nodes) || nodes.length === 0)
    throw new TypeError('redis.cluster.nodes must name at least one node: [{ host, port }]');
  if (options.useSRVRecords)
    throw new TypeError(
      'redis.cluster.options.useSRVRecords is not supported: name the nodes, or one address that resolves to them',
    );
  const shared: RedisOptions = options.redisOptions ?? {};
  if (options.keyPrefix || shared.keyPrefix)
    throw new TypeError(
      'redis.cluster.options.keyPrefix must not be set: all keys are named by the prefix with a hash tag',
    );
  const parsed = nodes.map((node) => new Redis(node as string, { ...shared, lazyConnect: true }).options);
  const { username, password, tls } = parsed[0]!;
  return {
    seeds: parsed.map(({ host, port }) => ({ host: host!, port: port! })),
    settings: { ...shared, username, password, tls },
    natMap: options.natMap,
  };
}

/** An instance that has not connected yet knows only the nodes it was given, in a private field. */
function nodesOf(cluster: Cluster): readonly ClusterNode[] {
  return Reflect.get(cluster, 'startupNodes') as ClusterNode[];
}
