import { setTimeout as sleep } from 'node:timers/promises';

/** So few that even costly items, such as those that are encrypted or sent, take less than {@link SLICE} together. */
const AT_ONCE = 100;

/** What a computation may take at a time, and what it leaves to everything else then. Milliseconds. */
const SLICE = 5;

/**
 * Leaves half of the event loop to everything else while a computation is long: with very many subscriptions a master would
 * neither renew its lease nor read replies in time. One turn of the loop would not do: what asks Redis several times in a row
 * needs as many, and would wait for a slice at each.
 */
export class Breather {
  private began = performance.now();
  private before = 0;

  /** What the computation itself has taken, in milliseconds. */
  get spent(): number {
    return this.before + performance.now() - this.began;
  }

  isDue(): boolean {
    return performance.now() - this.began >= SLICE;
  }

  /** Resolves when everything else has had its share. @param then called after that; its time does not count as spent */
  async breathe(then?: () => Promise<void>): Promise<void> {
    this.before = this.spent;
    await sleep(SLICE);
    await then?.();
    this.began = performance.now();
  }
}

/**
 * Runs a computation that yields where it may be interrupted.
 * @param between called in each pause; what it does may take long
 */
export async function unhurried<T>(
  steps: Generator<void, T>,
  breather = new Breather(),
  between?: () => Promise<void>,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (breather.isDue()) await breather.breathe(between);
  }
}

/** Runs it in one go. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does something with each of the items, and yields after every hundred. */
export function* withPauses<T>(items: Iterable<T>, each: (item: T) => void): Generator<void, void> {
  let left = AT_ONCE;
  for (const item of items) {
    each(item);
    if (--left > 0) continue;
    left = AT_ONCE;
    yield;
  }
}
