export * from './connection/index.js';
export { candidateOfOwner, electionKeys, type ElectionKeys } from './election-keys.js';
export { ELECTION_TIMINGS, type ElectionTiming, type ElectionTimingName } from './election-timings.js';
export { RedisElectionBackend } from './redis-election-backend.js';
export { electionTimingProblems, type RedisElectionOptions } from './redis-election-options.js';
