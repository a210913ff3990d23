import type { ClusterOptions, RedisOptions } from 'ioredis';
import { nearestName } from '../../../util/nearest-name.js';

/**
 * What happens to an option of ioredis that a caller has set:
 *
 * - `used`: the project's connections have it too. It says where Redis is, who asks, and how a socket behaves.
 * - `replaced`: the project's connections have a value of their own, whatever the caller has set. It says when a command fails, in which
 *   form a reply arrives, or which server answers.
 * - a function: the reason to refuse this value; `undefined` when the value changes nothing.
 */
type OptionRule = 'used' | 'replaced' | ((value: unknown) => string | undefined);

const OWN_PREFIX = 'name the prefix by `lockName`, and by `keyPrefix` of `DetectorClusterModule`';

const unless =
  (harmless: unknown, reason: string): OptionRule =>
  (value) =>
    !value || value === harmless ? undefined : reason;

/** All options of a connection that ioredis 5 and 6 know. */
export const REDIS_OPTION_RULES: Readonly<Record<keyof RedisOptions, OptionRule>> = {
  // where
  host: 'used',
  port: 'used',
  path: 'used',
  family: 'used',
  db: 'used',
  Connector: 'used',
  sentinels: 'used',
  name: 'used',
  sentinelUsername: 'used',
  sentinelPassword: 'used',
  sentinelTLS: 'used',
  enableTLSForSentinelMode: 'used',
  sentinelCommandTimeout: 'used',
  sentinelMaxConnections: 'used',
  sentinelReconnectStrategy: 'used',
  updateSentinels: 'used',
  failoverDetector: 'used',
  natMap: 'used',
  // who
  username: 'used',
  password: 'used',
  tls: 'used',
  connectionName: 'used',
  disableClientInfo: 'used',
  clientInfoTag: 'used',
  // the socket
  keepAlive: 'used',
  noDelay: 'used',
  // when a command fails or is repeated
  retryStrategy: 'replaced',
  sentinelRetryStrategy: 'replaced',
  reconnectOnError: 'replaced',
  commandTimeout: 'replaced',
  connectTimeout: 'replaced',
  disconnectTimeout: 'replaced',
  socketTimeout: 'replaced',
  blockingTimeout: 'replaced',
  blockingTimeoutGrace: 'replaced',
  maxRetriesPerRequest: 'replaced',
  maxLoadingRetryTime: 'replaced',
  autoResubscribe: 'replaced',
  autoResendUnfulfilledCommands: 'replaced',
  enableOfflineQueue: 'replaced',
  offlineQueue: 'replaced',
  commandQueue: 'replaced',
  enableReadyCheck: 'replaced',
  lazyConnect: 'replaced',
  // how a command is sent, and in which form its reply arrives
  protocol: 'replaced',
  replyMapping: 'replaced',
  stringNumbers: 'replaced',
  enableAutoPipelining: 'replaced',
  autoPipeliningIgnoredCommands: 'replaced',
  scripts: 'replaced',
  showFriendlyErrorStack: 'replaced',
  himportFieldsets: 'replaced',
  preferredSlaves: 'replaced',
  keyPrefix: unless('', OWN_PREFIX),
  readOnly: unless(false, 'name a server that takes writes'),
  role: unless('master', 'name a server that takes writes: role: "master"'),
  monitor: unless(false, 'a connection that monitors takes no commands'),
};

/** All options of a Redis Cluster that ioredis 5 and 6 know. `redisOptions` has the rules of a connection. */
export const CLUSTER_OPTION_RULES: Readonly<Record<keyof ClusterOptions, OptionRule>> = {
  redisOptions: 'used',
  natMap: 'used',
  dnsLookup: 'used',
  slotsRefreshTimeout: 'used',
  clusterRetryStrategy: 'replaced',
  clusterNodeRetryStrategy: 'replaced',
  enableOfflineQueue: 'replaced',
  enableReadyCheck: 'replaced',
  scaleReads: 'replaced',
  maxRedirections: 'replaced',
  retryDelayOnMoved: 'replaced',
  retryDelayOnFailover: 'replaced',
  retryDelayOnClusterDown: 'replaced',
  retryDelayOnTryAgain: 'replaced',
  slotsRefreshInterval: 'replaced',
  shardedSubscribers: 'replaced',
  lazyConnect: 'replaced',
  resolveSrv: 'replaced',
  enableAutoPipelining: 'replaced',
  autoPipeliningIgnoredCommands: 'replaced',
  scripts: 'replaced',
  showFriendlyErrorStack: 'replaced',
  himportFieldsets: 'replaced',
  keyPrefix: unless('', `${OWN_PREFIX}, with a hash tag`),
  useSRVRecords: unless(false, 'name the nodes, or one address that resolves to them'),
};

/** Where an option stands in a configuration, and whether a name that ioredis does not know may be there. */
export interface OptionContext {
  /** `redis`, `redis.cluster.options`, … */
  readonly path: string;
  /** An instance of ioredis has options of its version, and a connector of the application has its own: they may be unknown. */
  readonly unknown: 'refuse' | 'drop' | 'use';
}

/**
 * The options that connections of this project take over from those of a caller.
 * @throws TypeError that names each refused option
 */
export function usableOptions<Options extends RedisOptions | ClusterOptions>(
  given: Options,
  rules: Readonly<Record<string, OptionRule>>,
  { path, unknown }: OptionContext,
): Options {
  const used: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name]! : unknownRule(name, rules, unknown);
    if (rule === 'used') used[name] = value;
    else if (rule !== 'replaced') {
      const reason = rule(value);
      if (reason !== undefined) problems.push(`${path}.${name} cannot be used: ${reason}`);
    }
  }
  if (problems.length > 0) throw new TypeError(problems.join('; '));
  return used as Options;
}

function unknownRule(name: string, rules: object, unknown: OptionContext['unknown']): OptionRule {
  if (unknown !== 'refuse') return unknown === 'use' ? 'used' : 'replaced';
  return (value) =>
    value === undefined ? undefined : `ioredis has no such option${nearestName(name, Object.keys(rules))}`;
}
