export * from './connection/index.js';
export { RedisElectionControl, RedisElectionBackend } from './redis-election-backend.js';
export { electionKeys, type ElectionKeys } from './election-keys.js';
export {
  ELECTION_TIMINGS,
  type ElectionTiming,
  type ElectionTimingName,
  resolveElectionTimes,
  type CrashDetection,
  type ElectionTimes,
  type RedisElectionOptions,
} from './redis-election-options.js';
export { candidateOfOwner } from '../../lease/lease-owner.js';
export { PresenceConnection } from './presence/presence-connection.js';
export { PRESENCE_TIMING, type PresenceTiming } from './presence/presence-timing.js';
