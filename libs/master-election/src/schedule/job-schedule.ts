/** Ticks in milliseconds since 1970, the same on every process. */
export interface JobSchedule {
  /** The first tick after a moment; `Infinity` when there is none. Never decreases as the moment increases. */
  next(after: number): number;
}

/** Ticks at the multiples of a period since 1970, so that all processes have the same ticks. @param period whole milliseconds, at least 1 */
export const everyPeriod = (period: number): JobSchedule => ({
  next: (after) => (Math.floor(after / period) + 1) * period,
});

/** A single tick. */
export const onceAt = (tick: number): JobSchedule => ({ next: (after) => (after < tick ? tick : Infinity) });
