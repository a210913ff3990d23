/** Ticks in milliseconds since 1970, the same on every process. */
export interface JobSchedule {
  /** The first tick after a moment; `Infinity` when there is none. Never decreases as the moment increases. */
  next(after: number): number;
}
