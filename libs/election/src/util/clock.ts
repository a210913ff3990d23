/** A running timer of a {@link Clock}. */
export type TimerHandle = unknown;

/** Time as the election sees it; injected so that tests run in virtual time. Milliseconds throughout. */
export interface Clock {
  /** Monotonic; deadlines are on this scale. */
  now(): number;
  /** Wall clock. Only differences count: it advances while a machine sleeps; the monotonic clock may not. */
  wallNow(): number;
  setTimeout(callback: () => void, delay: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

/** `performance.now()`, `Date.now()` and Node's timers. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimeout: (callback, delay) => setTimeout(callback, delay),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

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

/** What a duration measured by one clock is at most by another one. Whole milliseconds. */
export function onFastestClock(duration: number): number {
  return Math.ceil(duration * CLOCK_RATE_RATIO);
}

/** No lease lasts longer, so that no record can bar candidates for longer. Milliseconds. */
export const MAX_LEASE = 3_600_000;

/** What a record says of a lease's length; `undefined` when it is no such length. */
export function readLeaseLength(said: unknown): number | undefined {
  const ms = typeof said === 'string' ? Number(said) : said;
  return Number.isInteger(ms) && (ms as number) > 0 && (ms as number) <= MAX_LEASE
    ? (ms as number)
    : undefined;
}

/** The longest time that a timer of Node waits; it fires at once for a longer one. Milliseconds. */
export const MAX_TIMER = 2 ** 31 - 1;
