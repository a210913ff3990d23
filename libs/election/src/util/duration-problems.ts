import { MAX_LEASE } from './clock.js';

/** The three durations of an election, in milliseconds. */
export interface ElectionTiming {
  /** A leader that does not renew for this long loses its lease. */
  readonly lockTtl: number;
  /** How often the leader renews. */
  readonly heartbeatInterval: number;
  /** How often a follower reads the lease, in addition to announcements. */
  readonly checkInterval: number;
}

/**
 * The problems of single durations: one sentence for each that is not a positive whole number.
 * @param max The longest that is allowed. Default: no limit. Milliseconds.
 */
export function durationProblems(durations: object, max?: number): string[] {
  const allowed =
    max === undefined
      ? 'a positive whole number of milliseconds'
      : `a whole number of milliseconds from 1 to ${max}`;
  return Object.entries(durations)
    .filter(([, value]) => !Number.isInteger(value) || value <= 0 || value > (max ?? Infinity))
    .map(([name, value]) => `${name} must be ${allowed}, not ${String(value)}`);
}

/**
 * The problems of the durations of an election, one sentence each.
 * @param max The longest lease that is allowed. Milliseconds.
 */
export function electionTimingProblems(timing: ElectionTiming, max = MAX_LEASE): string[] {
  const { lockTtl, heartbeatInterval, checkInterval } = timing;
  const problems = durationProblems({ lockTtl, heartbeatInterval, checkInterval });
  if (problems.length > 0) return problems;
  if (lockTtl < 200) problems.push(`lockTtl must be at least 200, not ${lockTtl}`);
  if (lockTtl > max) problems.push(`lockTtl must be at most ${max}, not ${lockTtl}`);
  if (lockTtl <= heartbeatInterval * 2)
    problems.push(
      `lockTtl (${lockTtl}) must be more than twice heartbeatInterval (${heartbeatInterval}), ` +
        'so that one failed renewal can be repeated',
    );
  if (checkInterval > lockTtl)
    problems.push(`checkInterval (${checkInterval}) must not be longer than lockTtl (${lockTtl})`);
  return problems;
}
