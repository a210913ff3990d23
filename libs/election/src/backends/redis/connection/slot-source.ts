import { Command, type RedisOptions } from 'ioredis';
import { type DirectRedisSource, isWholeCluster, optionsOf, type RedisSource } from './redis-source.js';
import { readClusterNodes, SlotTopology } from './slot-topology.js';
import { slotConnector } from './slot-connector.js';

/**
 * What keeps a source from being used for keys with this prefix; `undefined` when nothing does.
 *
 * @param option Name of the option that holds the prefix.
 */
export function sourceProblem(source: RedisSource, option: string, prefix: string): string | undefined {
  if (!isWholeCluster(source)) return problemOf(() => optionsOf(source));
  if (hashTagOf(prefix) === undefined)
    return (
      `${option} must contain a hash tag on a Redis Cluster, so that all its keys are in one slot: ` +
      `'{${prefix.replaceAll(/[{}]/g, '') || 'name'}}' instead of '${prefix}'`
    );
  return problemOf(() => readClusterNodes(source));
}

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * The source for connections that serve keys with this prefix. For a cluster it is the node that serves the slot of the prefix's
 * hash tag, looked up at every dial. Any other source is returned unchanged.
 *
 * @param option Name of the option that holds the prefix.
 * @throws RangeError when the prefix has no hash tag, or the cluster is not named properly.
 */
export function slotSource(source: RedisSource, option: string, prefix: string): DirectRedisSource {
  if (!isWholeCluster(source)) return source;
  const problem = sourceProblem(source, option, prefix);
  if (problem) throw new RangeError(problem);
  const nodes = readClusterNodes(source);
  const Connector = slotConnector(new SlotTopology(nodes, slotOf(prefix)));
  return { ...nodes.settings, Connector } satisfies RedisOptions;
}

/** The part of a key that alone decides its slot: between the first `{` and the next `}`; `undefined` without one. */
export function hashTagOf(key: string): string | undefined {
  return /^[^{]*\{([^}]+)\}/.exec(key)?.[1];
}

/** The slot of a key on a Redis Cluster. */
export function slotOf(key: string): number {
  return Number(new Command('get', [key]).getSlot());
}
