export { getOrInsertComputed } from './util/get-or-insert-computed.js';
export { isInterruption } from './elector/term-cleanup.js';
export { certificateProblem } from './util/certificate-problem.js';
export { doubling } from './util/backoff.js';
export {
  type ClockInstant,
  deadlineAfter,
  instantOf,
  MAX_LEASE,
  MAX_TIMER,
  onFastestClock,
  readLeaseLength,
  validityOf,
} from './util/clock.js';
export { durationProblems, electionTimingProblems } from './util/duration-problems.js';
export { failTogether, unknownOptions } from './util/option-problems.js';
export { LEASE_COLUMNS, PostgresLease } from './backends/postgres/postgres-lease.js';
export { oncePerRegistry } from './util/once-per-registry.js';
export { NextRun } from './util/next-run.js';
export { pause } from './util/pause.js';
export { retryUntilDone } from './fence/retry-until-done.js';
export { Repeater } from './util/repeater.js';
export { SeenLease } from './lease/seen-lease.js';
export { signalWithin } from './util/signal-within.js';
export { withTimeout } from './lease/bounded.js';
export { SafeEmitter } from './util/safe-emitter.js';
export { seededRandom } from './util/seeded-random.js';
export { settlesWithin } from './util/settles-within.js';
export { toError } from './util/to-error.js';
export { UnreadableFields } from './util/unreadable-fields.js';
export { withCampaign } from './contract/with-campaign.js';
export { Condition } from './util/condition.js';
export { PoolerError, requireDirect, type SessionClient } from './util/pooler.js';
export {
  type PostgresClientOptions,
  type PostgresDefaults,
  type PostgresPoolOptions,
  type PostgresUrl,
  PostgresUrlError,
  postgresUrlProblems,
  readPostgresUrl,
  schemaOf,
} from './util/read-postgres-url.js';
