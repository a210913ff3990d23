import { setTimeout as sleep } from 'node:timers/promises';
import type { Write } from './writers.js';

/**
 * Runs `total` writes evenly over `duration` ms, at most `concurrency` at a time. If the writes are slower, it takes longer.
 * Rejects with the first failure.
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
