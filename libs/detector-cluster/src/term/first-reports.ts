import { systemClock, type Clock } from '@detector-cluster/election';
import { Condition } from '@detector-cluster/election/internal';
import type { WorkerPool } from '../workers/worker-pool.js';

/** If no worker has been heard for so long, the others are not waited for. Milliseconds. */
const QUIET = 250;

/**
 * Resolves when all workers that answer have been heard for the first time. Until then a new master neither reads nor plans: it could decide
 * little, and with very many subscriptions it would keep itself from reading the reports.
 * @param timeout the longest time to wait, since the workers were dialled. Milliseconds
 * @param signal ends the wait
 */
export async function firstReports(
  pool: Pick<WorkerPool, 'awaited' | 'settled' | 'on' | 'off'>,
  timeout: number,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  const changed = new Condition(clock);
  const onChange = () => changed.notify();
  pool.on('change', onChange);
  let { awaited } = pool;
  let quietAt = clock.now() + QUIET;
  while (!signal.aborted && !pool.settled(timeout, clock.now()) && clock.now() < quietAt) {
    await changed.wait(quietAt - clock.now(), signal);
    if (pool.awaited !== awaited) quietAt = clock.now() + QUIET;
    ({ awaited } = pool);
  }
  pool.off('change', onChange);
}
