/** How often it looks. Milliseconds. */
const RESOLUTION = 10;

/** Milliseconds. A process that stands still for longer may fail to renew a lease, or to read an answer, in time. */
const MATTERS = 250;

/**
 * Watches whether this process stands still, as on an overloaded machine. `end()` returns whether it did for longer than `matters`,
 * also if it did so until just now.
 */
export function watchStandstill(matters = MATTERS): { end(): boolean } {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, RESOLUTION).unref();
  return {
    end: () => {
      look();
      clearInterval(timer);
      return longest > matters;
    },
  };
}
