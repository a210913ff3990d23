import { setTimeout as sleep } from 'node:timers/promises';

type Nothing = null | undefined | false;

/**
 * Calls `probe` every 50 ms until it finds something other than null, undefined and false. Also retries if `probe` rejects, because
 * processes may be down. Rejects with `what` after `timeout` ms, and when `signal` aborts.
 */
export async function waitFor<T>(
  what: string,
  timeout: number,
  probe: () => Promise<T | Nothing> | T | Nothing,
  detail: () => Promise<string> | string = () => '',
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + timeout;
  let lastError = '';
  for (;;) {
    signal?.throwIfAborted();
    try {
      const found = await probe();
      if (found !== null && found !== undefined && found !== false) return found;
      lastError = '';
    } catch (error) {
      lastError = ` (${(error as Error).message})`;
    }
    if (performance.now() > deadline)
      throw new Error(`timed out after ${timeout} ms: ${what}${lastError}\n${await detail()}`.trim());
    await sleep(50);
  }
}
