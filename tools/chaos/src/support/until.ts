import { waitFor } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';

/** `waitFor` that ends with the scenario. */
export function until<T>(
  signal: AbortSignal,
  what: string,
  timeout: number,
  probe: () => Promise<T | null | false> | T | null | false,
): Promise<T> {
  return waitFor(what, timeout, probe, () => '', signal);
}

/** Rejects when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
