import type { Clock } from '@detector-cluster/election';

/** Resolves after `duration` ms, or when `signal` aborts. */
export function pause(duration: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.setTimeout(done, duration);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}
