import { doubling } from '@detector-cluster/election/internal';

/** Regular work takes at most one part in this many of the time. */
const RARITY = 100;

/** They happen at least this often. Milliseconds. */
export const MAX_INTERVAL = 300_000;

/**
 * How often to look at everything without a reason: every `interval` ms. If that takes more than a hundredth of it, less
 * often, but at least every 5 min. Milliseconds.
 * @param durations how long the last two looks took; the shorter one counts, because one alone may have waited for an unavailable
 *   server. Milliseconds
 */
export function pollInterval(interval: number, durations: readonly [number, number]): number {
  return Math.max(interval, Math.min(RARITY * Math.min(...durations), MAX_INTERVAL));
}

/** Milliseconds. */
const MIN_PAUSE = 50;

/**
 * Full-jitter exponential backoff (AWS Architecture Blog, "Exponential Backoff and Jitter"): uniform between a floor and
 * the exponentially growing ceiling, so that many clients of one failed server do not return together. Milliseconds.
 */
export function fullJitter(
  attempt: number,
  { base = 200, cap = 10_000 }: { base?: number; cap?: number } = {},
  random: () => number = Math.random,
): number {
  return Math.max(MIN_PAUSE, Math.floor(random() * doubling(base, attempt, cap)));
}
