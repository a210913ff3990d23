import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `condition` holds; throws with what `describe` says when it does not within `ms`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => unknown = () => condition.toString(),
  ms = 25_000,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${JSON.stringify(describe())}`);
    await sleep(10);
  }
}
