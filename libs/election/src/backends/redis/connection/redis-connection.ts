import type { Socket } from 'node:net';
import type { Redis, RedisOptions } from 'ioredis';
import { doubling } from '../../../util/backoff.js';
import { PlainRedis } from './plain-redis.js';
import { plainSettings } from './plain-commands.js';
import { rememberFailures, toStoreError } from './store.error.js';
import { isWholeCluster, optionsOf, type RedisSource } from './redis-source.js';

/** Commands that hang longer than this count as "maybe applied". Milliseconds. */
export const COMMAND_TIMEOUT = 1_000;

/** Full speed first, capped low: a blip must not cost a lease. Milliseconds. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  return doubling(25, attempt, 250) + Math.floor(random() * 50);
}

/** A silent link is dropped without waiting, so that neither a new dial nor the end of the process hangs on it. */
const DISCONNECT_TIMEOUT = 250;

/** How often to ask a server that loads its data whether it is done. Milliseconds. */
const LOADING_LOOK = 500;

/** Refusals that mean: not here. The next dial may lead to the right server, or the server may have changed its role. */
const elsewhere = (error: Error): boolean => /(^|-)(READONLY|MOVED) /.test(error.message);

/**
 * Settings under which a failed command is known to be failed: nothing is queued while offline, nothing is sent twice
 * behind the caller's back, and every call is bounded in time.
 */
export const commandSettings = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT,
  connectTimeout: 3_000,
  disconnectTimeout: DISCONNECT_TIMEOUT,
  maxLoadingRetryTime: LOADING_LOOK,
  reconnectOnError: elsewhere,
  retryStrategy: (attempt: number) => reconnectDelay(attempt),
} satisfies RedisOptions;

/** Settings for a connection that only subscribes or blocks: it may wait. Subscribe with `keepSubscribed`. */
export const blockingSettings = {
  enableOfflineQueue: true,
  autoResubscribe: false,
  maxRetriesPerRequest: null,
  connectTimeout: 3_000,
  disconnectTimeout: DISCONNECT_TIMEOUT,
  maxLoadingRetryTime: LOADING_LOOK,
  reconnectOnError: elsewhere,
  retryStrategy: (attempt: number) => reconnectDelay(attempt),
} satisfies RedisOptions;

/**
 * Opens a connection of the given settings. It connects in the background; errors reach `onError`, never the process.
 *
 * `connectionName` of the settings says in `CLIENT LIST` what the connection is for; a `connectionName` of the source is
 * put before it, separated by a slash.
 *
 * @param source Of a cluster: what `slotSource` makes of it.
 * @throws TypeError when the source does not say where Redis is
 */
export function openRedis(
  source: RedisSource,
  settings: RedisOptions,
  onError: (error: Error) => void = () => undefined,
): Redis {
  if (isWholeCluster(source))
    throw new TypeError(
      'a connection to a Redis Cluster needs the prefix of its keys: use slotSource(redis, …)',
    );
  const options = optionsOf(source);
  const connectionName = nameOf(options.connectionName, settings.connectionName);
  const redis = new PlainRedis({
    ...options,
    sentinelRetryStrategy: (attempt) => reconnectDelay(attempt),
    ...settings,
    ...plainSettings,
    lazyConnect: true,
    connectionName,
  });
  redis.on('error', onError);
  rememberFailures(redis);
  absorbLateErrors(redis);
  sayConnectionLost(redis);
  // Failures are reported as `error`.
  redis.connect().catch(() => undefined);
  return redis;
}

/** Closes without waiting for a server that may be unavailable, and rejects the commands that wait. Idempotent. */
export function closeRedis(redis: Redis): void {
  if (redis.status === 'end') return;
  const betweenDials = redis.status === 'reconnecting';
  redis.disconnect(false);
  if (!betweenDials) return;
  // Between two dials there is no stream whose end makes the client do this. Callers that wait for it would wait forever.
  redis.status = 'end';
  queuesOf(redis).flushQueue(new Error('Connection is closed.'));
  redis.emit('end');
}

interface Queues {
  flushQueue(error: Error, options?: object): void;
}

const queuesOf = (redis: Redis) => redis as unknown as Queues;

/**
 * Rejects commands without a reply, whose connection broke, with a `StoreError` that says so. ioredis rejects them with "Reached the max
 * retries per request limit (which is 0)", although it retries nothing with these settings.
 */
function sayConnectionLost(redis: Redis): void {
  const queues = queuesOf(redis);
  const flush = queues.flushQueue.bind(redis);
  queues.flushQueue = (error, options) =>
    flush(error.name === 'MaxRetriesPerRequestError' ? (toStoreError(error) as Error) : error, options);
}

interface Connector {
  connect(...args: unknown[]): Promise<Socket>;
}

/**
 * Keeps errors of a socket that ioredis no longer listens to from ending the process. ioredis takes the first error of a socket. A TLS
 * socket can emit another one: an alert of the server is an error, and so is the reset or the refused certificate next to it.
 *
 * Call it before the client connects.
 */
export function absorbLateErrors(redis: Redis): void {
  const connector = Reflect.get(redis, 'connector') as Connector;
  const connect = connector.connect.bind(connector);
  connector.connect = async (...args) => {
    const socket = await connect(...args);
    socket.on('error', () => undefined);
    return socket;
  };
}

/** Drops a broken connection and dials again. Does not disturb a dial that is already in progress. */
export function redial(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}

/** What `CLIENT LIST` shows of a connection: the parts that exist, separated by slashes. The server takes printable ASCII only. */
export function nameOf(...parts: (string | null | undefined)[]): string | undefined {
  const name = parts.filter((part) => part).join('/');
  return name === '' ? undefined : name.replaceAll(/[^!-~]/g, '_');
}
