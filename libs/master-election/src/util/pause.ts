import type { Clock } from '@detector-cluster/election';

/** Waits for `duration` ms or until `signal` aborts. Never rejects; removes its timer and listener. */
export function pause(clock: Clock, duration: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.setTimeout(done, duration);
    signal.addEventListener('abort', done);
  });
}
