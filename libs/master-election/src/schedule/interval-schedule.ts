import type { JobSchedule } from './job-schedule.js';

/** Ticks at the multiples of a period since 1970, so that all processes have the same ticks. */
export class IntervalSchedule implements JobSchedule {
  /** @param period Whole milliseconds, at least 1. */
  constructor(private readonly period: number) {}

  next(after: number): number {
    return (Math.floor(after / this.period) + 1) * this.period;
  }
}
