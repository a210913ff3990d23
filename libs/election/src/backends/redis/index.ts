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
export {
  blockingSettings,
  boundedCall,
  channelPrefix,
  closeRedis,
  COMMAND_TIMEOUT,
  commandSettings,
  databaseOf,
  type DirectRedisSource,
  hashPages,
  keepSubscribed,
  openRedis,
  type RedisClusterSource,
  type RedisSource,
  SharedSubscriber,
  StoreError,
  StoreUnreachableError,
  whenReady,
} from './connection/index.js';
export { RedisElectionBackend } from './redis-election-backend.js';
export { RedisElectionControl } from './redis-election-control.js';
export {
  type CrashDetection,
  ELECTION_TIMINGS,
  type ElectionTiming,
  type ElectionTimingName,
  type RedisElectionOptions,
} from './redis-election-options.js';
