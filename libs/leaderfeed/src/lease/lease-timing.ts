import { electionTimingProblems } from '@detector-cluster/election/internal';

export interface LeaseTiming {
  /** How long a lease lasts without renewal. A leader that dies or is cut off is replaced after this time. */
  readonly lockTtl: number;
  /** How often the leader renews it. */
  readonly heartbeatInterval: number;
  /** How often followers read it, in addition to notifications. */
  readonly checkInterval: number;
}

/** Timeout of a single call. Milliseconds. */
const MAX_CALL = 2_000;

/** Fills in the defaults: 4 s, 1 s, 2 s. Throws a `RangeError` that names all problems. */
export function resolveLeaseTiming(given: Partial<LeaseTiming> = {}): LeaseTiming {
  const { lockTtl = 4_000 } = given;
  const { heartbeatInterval = Math.ceil(lockTtl / 4), checkInterval = Math.ceil(lockTtl / 2) } = given;
  const timing = { lockTtl, heartbeatInterval, checkInterval };
  const problems = electionTimingProblems(timing);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return timing;
}

/** Timeout of a call, short enough that several fit into a lease. Milliseconds. */
export function callTimeoutOf(lockTtl: number): number {
  return Math.min(MAX_CALL, Math.ceil(lockTtl / 4));
}
