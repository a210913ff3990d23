import type { JobSchedule } from './job-schedule.js';

/** A single tick. */
export class OneTimeSchedule implements JobSchedule {
  /** @param tick Milliseconds since 1970. */
  constructor(private readonly tick: number) {}

  next(after: number): number {
    return after < this.tick ? this.tick : Infinity;
  }
}
