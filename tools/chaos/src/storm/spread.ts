import { setTimeout as sleep } from 'node:timers/promises';
import type { Write } from './writers.js';

/**
 * Runs `total` writes, evenly over `duration` ms or as fast as they go where that is slower, at most `concurrency` at a time.
 * Rejects with the first that fails.
 */
export async function spread(
  write: Write,
  total: number,
  duration: number,
  concurrency: number,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < total) {
        signal.throwIfAborted();
        const n = next++;
        const early = (n * duration) / total - (performance.now() - start);
        if (early > 1) await sleep(early);
        await write(n);
      }
    }),
  );
}
