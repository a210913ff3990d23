import { waitFor } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';

/** Finds hangs only: on a busy machine a backend has taken 20 s to start. Milliseconds. */
export const LIMIT = 240_000;

/** `waitFor` that ends with the scenario. */
export function until<T>(
  signal: AbortSignal,
  what: string,
  probe: () => Promise<T | null | false> | T | null | false,
  limit = LIMIT,
): Promise<T> {
  return waitFor(what, limit, probe, () => '', signal);
}

/** Rejects when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
