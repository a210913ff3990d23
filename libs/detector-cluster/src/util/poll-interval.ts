/** Regular reads take at most one part in this many of the time. */
const RARITY = 100;

/** They happen at least this often. Milliseconds. */
const LONGEST = 300_000;

/**
 * How often to read everything without a reason: every `interval` ms. If a read takes more than a hundredth of that, less
 * often, but at least every 5 min. Milliseconds.
 */
export function pollInterval(interval: number, duration: number): number {
  return Math.max(interval, Math.min(RARITY * duration, LONGEST));
}
