import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY = 50;

/**
 * Calls `probe` every 50 ms until it returns a value that is not null. Also retries if `probe` rejects, because processes may be
 * down. Rejects with `what` after `timeout` ms, and at once when `signal` aborts.
 */
export async function until<T>(
  signal: AbortSignal,
  what: string,
  timeout: number,
  probe: () => Promise<T | null> | T | null,
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    signal.throwIfAborted();
    let problem = '';
    try {
      const found = await probe();
      if (found !== null) return found;
    } catch (error) {
      problem = ` (${(error as Error).message})`;
    }
    if (performance.now() > deadline) throw new Error(`timed out after ${timeout} ms: ${what}${problem}`);
    await pause(LOOK_EVERY, signal);
  }
}

/** Rejects when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
