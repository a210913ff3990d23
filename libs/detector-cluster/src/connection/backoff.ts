import { doubling } from '@detector-cluster/election/util';

/**
 * Full-jitter exponential backoff (AWS Architecture Blog, "Exponential Backoff and Jitter"): uniform between a floor and
 * the exponentially growing ceiling, so that many clients of one failed server do not return together. Milliseconds.
 */
export function fullJitter(
  attempt: number,
  { base = 200, cap = 10_000, floor = 50 }: { base?: number; cap?: number; floor?: number } = {},
  random: () => number = Math.random,
): number {
  return Math.max(floor, Math.floor(random() * doubling(base, attempt, cap)));
}
