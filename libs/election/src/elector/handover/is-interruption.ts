import { LeadershipLostError } from '../../contract/errors.js';

/** Whether work failed because its signal aborted: with the reason of the signal, or with an `AbortError` as `fetch` does. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return (
    error === signal.reason ||
    error instanceof LeadershipLostError ||
    (error as { name?: unknown } | null)?.name === 'AbortError'
  );
}
