import { type Clock, systemClock } from './clock.js';

/** Whether the promise settles, in either way, within `ms`. Never rejects. */
export function settlesWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Clock = systemClock,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(false), ms);
    const settled = () => {
      clock.clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
