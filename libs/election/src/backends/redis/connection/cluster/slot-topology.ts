import { Cluster, type ClusterNode, type NatMap, Redis, type RedisOptions } from 'ioredis';
import { absorbLateErrors, nameOf } from '../redis-connection.js';
import type { RedisClusterSource } from '../redis-source.js';

/** Where one node listens. */
interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The nodes and settings needed to find a slot's node in a cluster. */
interface ClusterNodes {
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

/** Timeout for one node's answer about which node serves a slot. Milliseconds. */
const TIMEOUT = 1_000;

/** A node that does not answer does not hold up the end either. Milliseconds. */
const DISCONNECT_TIMEOUT = 100;

type SlotRange = [from: number, to: number, master: [host: string | null, port: number]];

/** Finds the node that serves a slot, by asking the nodes one after another. */
export class SlotTopology {
  private known: readonly NodeAddress[] = [];
  private last = '';

  constructor(
    private readonly nodes: ClusterNodes,
    private readonly slot: number,
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * The master of the slot, as one of the nodes sees it. The node found the last time is asked last, because the caller looks
   * again only when that node has failed.
   * @throws the error of the last node asked.
   */
  async owner(signal: AbortSignal): Promise<NodeAddress> {
    let failure: unknown;
    for (const node of this.candidates()) {
      if (signal.aborted) break;
      try {
        const owner = await this.ask(node, signal);
        this.last = keyOf(owner);
        return owner;
      } catch (error) {
        failure = error;
      }
    }
    throw failure ?? new Error('no node of the cluster was asked');
  }

  private candidates(): NodeAddress[] {
    const all = new Map([...this.nodes.seeds, ...this.known].map((node) => [keyOf(node), node]));
    return [...all.values()]
      .map((node) => ({ node, rank: keyOf(node) === this.last ? 1 : this.random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ node }) => node);
  }

  private async ask(node: NodeAddress, signal: AbortSignal): Promise<NodeAddress> {
    const probe = new Redis({
      ...this.nodes.settings,
      ...node,
      connectTimeout: TIMEOUT,
      commandTimeout: TIMEOUT,
      disconnectTimeout: DISCONNECT_TIMEOUT,
      enableReadyCheck: false,
      retryStrategy: null,
      lazyConnect: true,
      connectionName: nameOf(this.nodes.settings.connectionName, 'election:topology'),
    });
    absorbLateErrors(probe);
    let reason: Error | undefined;
    probe.on('error', (error: Error) => (reason = error));
    const stop = () => probe.disconnect();
    signal.addEventListener('abort', stop);
    try {
      const ranges = (await probe.call('CLUSTER', 'SLOTS')) as SlotRange[];
      const addressOf = ([host, port]: SlotRange[2]) => this.mapped({ host: hostOr(node, host), port });
      const masters = ranges.map(([, , master]) => addressOf(master));
      const index = ranges.findIndex(([from, to]) => from <= this.slot && this.slot <= to);
      if (index < 0) throw new Error(`no node of the cluster serves slot ${this.slot}`);
      this.known = masters;
      return masters[index]!;
    } catch (error) {
      // "Connection is closed" says less than what closed it.
      throw reason ?? error;
    } finally {
      signal.removeEventListener('abort', stop);
      // The client would wait without a result for the end of a stream that has already ended.
      if (probe.status !== 'end') probe.disconnect();
    }
  }

  private mapped(node: NodeAddress): NodeAddress {
    const { natMap } = this.nodes;
    if (!natMap) return node;
    return (typeof natMap === 'function' ? natMap(keyOf(node)) : natMap[keyOf(node)]) ?? node;
  }
}

const keyOf = ({ host, port }: NodeAddress): string => `${host}:${port}`;

/** A node that does not know its own address leaves it out, or says `?`. */
const hostOr = (asked: NodeAddress, host: string | null): string =>
  host === null || host === '' || host === '?' ? asked.host : host;
