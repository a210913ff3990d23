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
