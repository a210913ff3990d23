import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/util';
import { fullJitter } from '../connection/backoff.js';

/** Repeats `attempt` with jittered backoff until it succeeds; rejects with the signal's reason when that aborts first. */
export async function retryUntil<T>(
  signal: AbortSignal,
  attempt: () => Promise<T>,
  onError: (error: Error) => void,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let n = 0; ; n++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error)) throw error;
      onError(error as Error);
      await pause(fullJitter(n, { base: 100, cap: 2_000 }), systemClock, signal);
    }
  }
}
