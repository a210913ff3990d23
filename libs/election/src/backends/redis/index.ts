/**
 * Elections over one Redis, and the connections that the packages of this project open.
 *
 * @example
 * ```ts
 * import { RedisElectionBackend } from '@detector-cluster/election/redis';
 *
 * const backend = new RedisElectionBackend({ redis: 'redis://localhost:6379', lockName: 'reports' });
 * ```
 * @packageDocumentation
 */
export { boundedCall, whenReady } from './connection/bounded-call.js';
export { hashPages } from './connection/read-hash.js';
export {
  blockingSettings,
  closeRedis,
  COMMAND_TIMEOUT,
  commandSettings,
  openRedis,
} from './connection/redis-connection.js';
export {
  channelPrefix,
  databaseOf,
  type DirectRedisSource,
  type RedisClusterSource,
  type RedisSource,
} from './connection/redis-source.js';
export { SharedSubscriber } from './connection/shared-subscriber.js';
export { StoreError, StoreUnreachableError } from './connection/store.error.js';
export { keepSubscribed } from './connection/subscribe-at-every-dial.js';
export { RedisElectionBackend } from './redis-election-backend.js';
export { RedisElectionControl } from './redis-election-control.js';
export {
  type CrashDetection,
  ELECTION_TIMINGS,
  type ElectionTimingName,
  type RedisElectionOptions,
} from './redis-election-options.js';
export type { ElectionTiming } from '../../util/duration-problems.js';
