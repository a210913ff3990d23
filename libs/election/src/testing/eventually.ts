import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until `found` returns something, and returns that; throws with `what` after `within` ms. */
export async function eventually<Value>(
  what: string,
  within: number,
  found: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = performance.now() + within;
  for (;;) {
    const value = await found();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await sleep(5);
  }
}
