import type { ProcessRow } from '@detector-cluster/dashboard-protocol';

/** How long a process counts as recently started. Milliseconds. */
export const RECENT_START = 600_000;

export interface RestartProgress {
  readonly restarted: number;
  readonly total: number;
}

/**
 * How far a rolling restart has come: some processes started recently, others run since before. Null when that is not so.
 * @param now by the service's clock, milliseconds since 1970
 */
export function restartProgress(
  processes: readonly Pick<ProcessRow, 'startedAt'>[],
  now: number,
): RestartProgress | null {
  const restarted = processes.filter(({ startedAt }) => now - Date.parse(startedAt) < RECENT_START).length;
  const total = processes.length;
  return restarted === 0 || restarted === total ? null : { restarted, total };
}
