import { LeadershipLostError } from '../../contract/errors.js';

/** Whether work that rejected ended because its lease did. */
export function isInterruption(error: unknown, lease: AbortSignal): boolean {
  if (!lease.aborted) return false;
  return (
    error === lease.reason ||
    error instanceof LeadershipLostError ||
    (error as { name?: unknown } | null)?.name === 'AbortError'
  );
}
