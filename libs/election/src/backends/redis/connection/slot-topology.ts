import { lookup } from 'node:dns';
import { Cluster, type ClusterNode, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { CLUSTER_OPTION_RULES, REDIS_OPTION_RULES, usableOptions } from './ioredis-options.js';
import { PlainRedis } from './plain-redis.js';
import { plainSettings } from './plain-commands.js';
import { absorbLateErrors, nameOf } from './redis-connection.js';
import type { RedisClusterSource } from './redis-source.js';

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
  /** Settings of the cluster: how its nodes are found. */
  readonly options: ClusterOptions;
}

/**
 * Reads nodes and settings from the ways to name a cluster.
 * @throws TypeError that names what is missing or cannot be used.
 */
export function readClusterNodes(source: Cluster | RedisClusterSource): ClusterNodes {
  const isInstance = source instanceof Cluster;
  const { nodes, options = {} } = isInstance
    ? { nodes: nodesOf(source), options: source.options }
    : source.cluster;
  if (!Array.isArray(nodes) || nodes.length === 0)
    throw new TypeError('redis.cluster.nodes must name at least one node: [{ host, port }]');
  const unknown = isInstance ? 'drop' : 'refuse';
  const path = 'redis.cluster.options';
  const { redisOptions = {}, ...used } = usableOptions(options, CLUSTER_OPTION_RULES, { path, unknown });
  const rules = { ...REDIS_OPTION_RULES, db: onlyDatabase };
  const shared = usableOptions(redisOptions, rules, { path: `${path}.redisOptions`, unknown });
  const parsed = nodes.map((node) => new Redis(node as string, { ...shared, lazyConnect: true }).options);
  const { username, password, tls } = parsed[0]!;
  return {
    seeds: parsed.map(({ host, port }) => ({ host: host!, port: port! })),
    settings: { ...shared, username, password, tls },
    options: used,
  };
}

const onlyDatabase = (db: unknown) => (db ? 'a Redis Cluster has only database 0' : undefined);

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
    const probe = new PlainRedis({
      ...this.nodes.settings,
      ...(await this.addressOf(node)),
      ...plainSettings,
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

  /** The address of a node whose name the application looks up itself; its certificate is for the name. */
  private async addressOf({ host, port }: NodeAddress): Promise<RedisOptions> {
    const { dnsLookup } = this.nodes.options;
    if (!dnsLookup || dnsLookup === lookup) return { host, port };
    const address = await new Promise<string>((resolve, reject) => {
      dnsLookup(host, (error, found) => (error ? reject(error) : resolve(found)));
    });
    const { tls } = this.nodes.settings;
    return { host: address, port, ...(tls && { tls: { servername: host, ...tls } }) };
  }

  private mapped(node: NodeAddress): NodeAddress {
    const { natMap } = this.nodes.options;
    if (!natMap) return node;
    return (typeof natMap === 'function' ? natMap(keyOf(node)) : natMap[keyOf(node)]) ?? node;
  }
}

const keyOf = ({ host, port }: NodeAddress): string => `${host}:${port}`;

/** A node that does not know its own address leaves it out, or says `?`. */
const hostOr = (asked: NodeAddress, host: string | null): string =>
  host === null || host === '' || host === '?' ? asked.host : host;
