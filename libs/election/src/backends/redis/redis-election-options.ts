import { type Clock, systemClock, validityOf } from '../../util/clock.js';
import { type ElectionTiming, electionTimingProblems } from '../../util/duration-problems.js';
import { slotSource, sourceProblem } from './connection/slot-source.js';
import { COMMAND_TIMEOUT } from './connection/redis-connection.js';
import type { DirectRedisSource, RedisSource } from './connection/redis-source.js';
import type { LeaseMode } from './lease/lease-store.js';
import type { PresenceConnection } from './campaign/presence-connection.js';
import { PRESENCE_TIMING, type PresenceTiming, presenceTimingProblems } from './campaign/presence-timing.js';

/** Name of a set of durations: `default` for production, `fast` for demos and tests on a quiet machine. */
export type ElectionTimingName = 'default' | 'fast';

export const ELECTION_TIMINGS: Readonly<Record<ElectionTimingName, ElectionTiming>> = {
  default: { lockTtl: 30_000, heartbeatInterval: 10_000, checkInterval: 5_000 },
  fast: { lockTtl: 3_000, heartbeatInterval: 1_000, checkInterval: 500 },
};

/** How the death of a leader is noticed. */
export type CrashDetection = 'presence' | 'lease';

export interface RedisElectionOptions extends Partial<ElectionTiming>, Partial<PresenceTiming> {
  readonly redis: RedisSource;
  /** Prefix of all keys; candidates with the same one compete. Default `master-election`; on a cluster `{master-election}`. */
  readonly lockName?: string;
  /** Defaults of the three durations. Default `default`: 30 s, 10 s, 5 s. */
  readonly timing?: ElectionTimingName;
  /**
   * `presence` (default): by the end of a connection that the leader's process holds, in about a second. `lease`: when its
   * lease has expired.
   */
  readonly crashDetection?: CrashDetection;
  /** An existing presence connection of this process; the backend does not close it. Default: a new one. */
  readonly presence?: PresenceConnection;
  /** Receives what an operator should know. Default: `process.emitWarning`. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

export interface ResolvedRedisElectionOptions extends Required<
  Omit<RedisElectionOptions, 'timing' | 'presence' | 'redis'>
> {
  readonly redis: DirectRedisSource;
  readonly presence: PresenceConnection | undefined;
  /** How long the leader may act after it sent a confirmation. By time: somewhat less than the lease, for clocks that run differently. */
  readonly validity: Readonly<Record<LeaseMode, number>>;
  /** No single call takes longer, so that several fit into a lease. */
  readonly commandTimeout: number;
}

/** All durations of an election, and how it notices a crash. */
export interface ElectionTimes extends ElectionTiming, PresenceTiming {
  readonly crashDetection: CrashDetection;
}

/** Fills in the defaults. `problems` has one sentence for each thing that is wrong, by the name of the option. */
export function resolveElectionTimes(given: Pick<RedisElectionOptions, 'timing' | keyof ElectionTimes>): {
  times: ElectionTimes;
  problems: string[];
} {
  const { timing = 'default', crashDetection = 'presence' } = given;
  const problems: string[] = [];
  const known = Object.hasOwn(ELECTION_TIMINGS, timing);
  if (!known) problems.push(`timing must be 'default' or 'fast', not ${JSON.stringify(timing)}`);
  const durations = pick(ELECTION_TIMINGS[known ? timing : 'default'], given);
  const presence = pick(PRESENCE_TIMING, given);
  const wrong = electionTimingProblems(durations);
  problems.push(...wrong);
  if (crashDetection === 'presence')
    problems.push(...presenceTimingProblems(presence, wrong.length > 0 ? Infinity : durations.lockTtl));
  else if (crashDetection !== 'lease')
    problems.push(`crashDetection must be 'presence' or 'lease', not ${JSON.stringify(crashDetection)}`);
  return { times: { ...durations, ...presence, crashDetection }, problems };
}

/** Checks everything, the durations also against each other; throws a `RangeError` that names all that is wrong. */
export function resolveRedisElectionOptions(options: RedisElectionOptions): ResolvedRedisElectionOptions {
  const { times, problems } = resolveElectionTimes(options);
  const { redis, lockName = 'master-election' } = options;
  const problem = sourceProblem(redis, 'lockName', lockName);
  if (problem) problems.push(problem);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return {
    ...times,
    redis: slotSource(redis, 'lockName', lockName),
    presence: options.presence,
    lockName,
    validity: {
      presence: times.presenceValidity,
      lease: validityOf(times.lockTtl),
    },
    commandTimeout: Math.min(COMMAND_TIMEOUT, Math.ceil(times.lockTtl / 6)),
    onWarning: options.onWarning ?? ((message) => process.emitWarning(message)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** The values of `defaults`, each replaced by the given value of the same name. */
function pick<Values extends object>(defaults: Values, given: Partial<Values>): Values {
  const entries = Object.entries(defaults).map(([name, value]) => [
    name,
    given[name as keyof Values] ?? (value as unknown),
  ]);
  return Object.fromEntries(entries) as Values;
}
