import { setTimeout as sleep } from 'node:timers/promises';

/** How often it looks. Milliseconds. */
const PAUSE = 5;

/** A pause that takes longer than this shows that the process stood still. Milliseconds. */
const STANDSTILL = 100;

/**
 * Looks until `found` returns something other than `undefined`, `null` and `false`; throws with `what` after `within` ms. Time in which
 * this process stands still, as on an overloaded machine, does not count.
 */
export async function eventually<Value>(
  what: string,
  within: number,
  found: () => Value | undefined | null | false | Promise<Value | undefined | null | false>,
): Promise<Value> {
  let deadline = performance.now() + within;
  for (;;) {
    const value = await found();
    if (value !== undefined && value !== null && value !== false) return value;
    const looked = performance.now();
    if (looked > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await sleep(PAUSE);
    const paused = performance.now() - looked;
    if (paused > STANDSTILL) deadline += paused;
  }
}
