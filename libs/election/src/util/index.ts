export { getOrInsertComputed } from './get-or-insert-computed.js';
export { isInterruption } from '../elector/term-cleanup.js';
export { doubling } from './backoff.js';
export {
  CLOCK_RATE_RATIO,
  type ClockInstant,
  deadlineAfter,
  instantOf,
  MAX_LEASE,
  MAX_TIMER,
  onFastestClock,
  readLeaseLength,
  validityOf,
} from './clock.js';
export { durationProblems } from './duration-problems.js';
export { failTogether, unknownOptions } from './option-problems.js';
export { LEASE_COLUMNS, PostgresLease } from '../backends/postgres/postgres-lease.js';
export { oncePerRegistry } from './once-per-registry.js';
export { NextRun } from './next-run.js';
export { pause } from './pause.js';
export { Repeater, type RepeaterOptions } from './repeater.js';
export { SeenLease } from '../lease/seen-lease.js';
export { type EventsWithError, SafeEmitter } from './safe-emitter.js';
export { seededRandom } from './seeded-random.js';
export { toError } from './to-error.js';
export { Condition } from './condition.js';
export { isDirect, PoolerError, requireDirect, type SessionClient } from './postgres-url/pooler.js';
export {
  type PostgresClientOptions,
  type PostgresDefaults,
  type PostgresPoolOptions,
  type PostgresUrl,
  PostgresUrlError,
  postgresUrlProblems,
  readPostgresUrl,
  schemaOf,
} from './postgres-url/read-postgres-url.js';
