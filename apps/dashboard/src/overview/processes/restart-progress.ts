import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { instantOf } from '../../format/instant.js';

/** Starts that are further apart do not belong to one rolling restart. Milliseconds. */
export const START_GAP = 600_000;

/** A single start may follow a crash. */
const FEWEST_STARTS = 2;

export interface RestartProgress {
  readonly restarted: number;
  readonly total: number;
}

/**
 * How far a rolling restart has come: several processes started one after another until now, and others run since before.
 * Null when that is not so.
 * @param now by the service's clock, milliseconds since 1970
 */
export function restartProgress(
  processes: readonly Pick<ProcessRow, 'startedAt'>[],
  now: number,
): RestartProgress | null {
  const newestFirst = processes
    .map(({ startedAt }) => instantOf(startedAt))
    .filter((start) => start !== null)
    .sort((a, b) => b - a);
  const end = newestFirst.findIndex((start, index) => (newestFirst[index - 1] ?? now) - start >= START_GAP);
  const restarted = end === -1 ? newestFirst.length : end;
  const total = processes.length;
  return restarted < FEWEST_STARTS || restarted === total ? null : { restarted, total };
}
