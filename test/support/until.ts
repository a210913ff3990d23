import { eventually as look } from '@detector-cluster/election/testing';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of a client of Redis, which gives a command up after a second. A busy machine can take longer. */
const LATE = /Command timed out|did not reply in time/;

/** What `ask` returns; null if Redis did not answer it in time. */
export async function answered<T>(ask: () => T | Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && LATE.test(error.message)) return null;
    throw error;
  }
}

/** Waits until `condition` holds; throws with what `describe` says when it does not within `ms`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => unknown = () => condition.toString(),
  ms = 25_000,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await answered(condition))) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${JSON.stringify(describe())}`);
    await sleep(10);
  }
}

/** Like the function of the same name for election backends, but looks again if Redis did not answer in time. */
export const eventually: typeof look = (what, within, found) => look(what, within, () => answered(found));
