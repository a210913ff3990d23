export { boundedCall } from './bounded-call.js';
export { candidateOfOwner, electionKeys, type ElectionKeys } from './election-keys.js';
export { ELECTION_TIMINGS, type ElectionTiming, type ElectionTimingName } from './election-timings.js';
export { keepSubscribed } from './keep-subscribed.js';
export {
  blockingSettings,
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  reconnectDelay,
  type RedisSource,
} from './redis-connection.js';
export { RedisElectionBackend } from './redis-election-backend.js';
export { electionTimingProblems, type RedisElectionOptions } from './redis-election-options.js';
export { RedisScript } from './redis-script.js';
export { StoreUnreachableError, whenReady } from './when-ready.js';
