import { CronTime } from 'cron';
import type { Schedule } from './schedule.js';

const SECOND = 1_000;

/** Ticks of a cron expression: five fields, or six with seconds in front. */
export class CronSchedule implements Schedule {
  private readonly time: CronTime;

  /**
   * @param timeZone IANA name, e.g. `Europe/Berlin`.
   * @throws Error when the expression or the time zone is not valid, or no date matches.
   */
  constructor(
    expression: string,
    private readonly timeZone: string,
  ) {
    this.time = new CronTime(expression, timeZone);
    this.next(0);
  }

  next(after: number): number {
    for (let from = after; ; from += SECOND) {
      const tick = this.time.getNextDateFrom(new Date(from), this.timeZone).toMillis();
      // Where clocks are put back, an hour comes twice and the library may answer with its first pass.
      if (tick > after) return tick;
    }
  }
}
