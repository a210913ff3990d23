/** The clock of the gate; tests replace it to be exact. */
export interface GateClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls back once after `delay` ms; the returned function cancels it. */
  setTimer(callback: () => void, delay: number): () => void;
}

export const systemClock: GateClock = {
  now: () => performance.now(),
  setTimer(callback, delay) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};
