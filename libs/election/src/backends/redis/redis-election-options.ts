import { systemClock, type Clock } from '../../util/clock.js';
import { ELECTION_TIMINGS, type ElectionTiming, type ElectionTimingName } from './election-timings.js';
import { COMMAND_TIMEOUT, type RedisSource } from './connection/redis-connection.js';

export interface RedisElectionOptions extends Partial<ElectionTiming> {
  readonly redis: RedisSource;
  /** Prefix of all keys; candidates with the same one compete. Default `master-election`; on a cluster `{master-election}`. */
  readonly lockName?: string;
  /** Defaults of the three durations. Default `default`: 30 s, 10 s, 5 s. */
  readonly timing?: ElectionTimingName;
  /** Receives what an operator should know. Default: `process.emitWarning`. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

export interface ResolvedRedisElectionOptions extends Required<Omit<RedisElectionOptions, 'timing'>> {
  /** How long the leader may act after it sent a renewal: somewhat less than the lease, for clocks that run differently. */
  readonly validity: number;
  /** No single call takes longer, so that several fit into a lease. */
  readonly commandTimeout: number;
}

/** Clocks of two machines run at most this differently. */
const CLOCK_RATE_ERROR = 0.01;

/** Checks the durations against each other; throws a `RangeError` that names all that are wrong. */
export function resolveRedisElectionOptions(options: RedisElectionOptions): ResolvedRedisElectionOptions {
  const defaults = ELECTION_TIMINGS[options.timing ?? 'default'];
  const lockTtl = options.lockTtl ?? defaults.lockTtl;
  const heartbeatInterval = options.heartbeatInterval ?? defaults.heartbeatInterval;
  const checkInterval = options.checkInterval ?? defaults.checkInterval;
  const problems = electionTimingProblems({ lockTtl, heartbeatInterval, checkInterval });
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return {
    redis: options.redis,
    lockName: options.lockName ?? 'master-election',
    lockTtl,
    heartbeatInterval,
    checkInterval,
    validity: Math.floor(lockTtl * (1 - CLOCK_RATE_ERROR)),
    commandTimeout: Math.min(COMMAND_TIMEOUT, Math.ceil(lockTtl / 6)),
    onWarning: options.onWarning ?? ((message) => process.emitWarning(message)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** What is wrong with a set of durations, one sentence for each problem. */
export function electionTimingProblems(timing: ElectionTiming): string[] {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(timing))
    if (!Number.isInteger(value) || value <= 0)
      problems.push(`${name} must be a positive whole number of milliseconds, not ${String(value)}`);
  if (problems.length > 0) return problems;
  if (timing.lockTtl < 200) problems.push(`lockTtl must be at least 200, not ${timing.lockTtl}`);
  if (timing.heartbeatInterval * 2 > timing.lockTtl)
    problems.push(
      `heartbeatInterval (${timing.heartbeatInterval}) must be at most half of lockTtl (${timing.lockTtl}), ` +
        'so that one failed renewal can be repeated',
    );
  if (timing.checkInterval > timing.lockTtl)
    problems.push(
      `checkInterval (${timing.checkInterval}) must not be longer than lockTtl (${timing.lockTtl})`,
    );
  return problems;
}
