import { doubling } from '@detector-cluster/election/internal';

/** Regular reads take at most one part in this many of the time. */
const RARITY = 100;

/** They happen at least this often. Milliseconds. */
export const MAX_INTERVAL = 300_000;

/**
 * How often to read everything without a reason: every `interval` ms. If a read takes more than a hundredth of that, less
 * often, but at least every 5 min. Milliseconds.
 */
export function pollInterval(interval: number, duration: number): number {
  return Math.max(interval, Math.min(RARITY * duration, MAX_INTERVAL));
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
