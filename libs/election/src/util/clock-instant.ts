import type { Clock } from './clock.js';

/** One moment on both clocks. */
export interface ClockInstant {
  readonly monotonic: number;
  readonly wall: number;
}

export function instantOf(clock: Clock): ClockInstant {
  return { monotonic: clock.now(), wall: clock.wallNow() };
}

/**
 * The monotonic moment at which `duration` has passed since `start`, seen from now. What the wall clock has gone ahead
 * of the monotonic one since `start` (a sleeping machine, a paused VM) counts as passed.
 */
export function deadlineAfter(start: ClockInstant, duration: number, clock: Clock): number {
  const now = instantOf(clock);
  const unseen = now.wall - start.wall - (now.monotonic - start.monotonic);
  return start.monotonic + duration - Math.max(0, unseen);
}
