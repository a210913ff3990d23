import type { Clock } from '../util/clock.js';
import { pause } from '../util/pause.js';
import { toError } from '../util/to-error.js';
import { FencedError } from './fenced.error.js';

export interface RetryOptions {
  readonly clock: Clock;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
  /** The pause after so many failed attempts. Milliseconds. */
  readonly delay: (failures: number) => number;
  /** Called before each pause. */
  readonly onError: (error: Error, failures: number) => void;
}

/**
 * Repeats the work of a leader until it succeeds. Rejects with `FencedError` if a later leader has taken over, and with the reason of the
 * signal if that aborts before or between attempts.
 */
export async function retryUntilDone<T>(
  attempt: () => Promise<T>,
  { clock, signal, delay, onError }: RetryOptions,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof FencedError) throw error;
      onError(toError(error), failures);
      await pause(delay(failures), clock, signal);
    }
  }
}
