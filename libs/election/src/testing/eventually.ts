import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until `found` returns something other than `undefined`, `null` and `false`; throws with `what` after `within` ms. */
export async function eventually<Value>(
  what: string,
  within: number,
  found: () => Value | undefined | null | false | Promise<Value | undefined | null | false>,
): Promise<Value> {
  const deadline = performance.now() + within;
  for (;;) {
    const value = await found();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await sleep(5);
  }
}
