export {
  isCluster,
  isRedisUnavailable,
  listenerCount,
  openCluster,
  readHash,
  RedisScript,
  ServerAge,
  slotSource,
  sourceProblem,
  toStoreError,
  watchSilence,
} from './connection/index.js';
export { candidateOfOwner } from '../../lease/lease-owner.js';
export { electionKeys } from './election-keys.js';
export { PresenceConnection } from './presence/presence-connection.js';
export type { PresenceTiming } from './presence/presence-timing.js';
export { type ElectionTimes, resolveElectionTimes } from './redis-election-options.js';
export { KeyGuard, type KeyTypes } from './key-guard.js';
