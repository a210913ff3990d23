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
export { RedisElectionControl, RedisElectionBackend } from './redis-election-backend.js';
export {
  type CrashDetection,
  ELECTION_TIMINGS,
  type ElectionTiming,
  type ElectionTimingName,
  type RedisElectionOptions,
} from './redis-election-options.js';
