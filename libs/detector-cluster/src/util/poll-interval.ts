/** What nothing asks for takes at most one part in so many of the time. */
const RARITY = 100;

/** Unless it would come less often than this. Milliseconds. */
const LONGEST = 300_000;

/**
 * How often everything is looked at without a reason: every `interval` ms. Where a look takes more than a hundredth of that, it comes less
 * often, but every 5 min at least. Milliseconds.
 */
export function pollInterval(interval: number, duration: number): number {
  return Math.max(interval, Math.min(RARITY * duration, LONGEST));
}
