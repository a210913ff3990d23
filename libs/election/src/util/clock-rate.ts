/** No clock runs faster or slower than the time by more than this. */
const CLOCK_RATE_ERROR = 0.01;

/** How much faster one clock may run than another. */
export const CLOCK_RATE_RATIO = (1 + CLOCK_RATE_ERROR) / (1 - CLOCK_RATE_ERROR);

/**
 * How long a leader may act on a lease of that length which a store keeps by its own clock, in whole milliseconds: on a slow
 * clock not longer than the lease lasts on a fast one.
 */
export function validityOf(lease: number): number {
  return Math.floor(lease / CLOCK_RATE_RATIO) - 1;
}
