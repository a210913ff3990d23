import { CronTime } from './alarm/cron-library.js';
import type { Schedule } from './schedule.js';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Ticks of a cron expression: five fields, or six with seconds in front. */
export class CronSchedule implements Schedule {
  private readonly time: InstanceType<typeof CronTime>;
  /** Added to a moment before it is read as UTC. Milliseconds. */
  private readonly offset: number;
  private readonly timeZone: string;

  /**
   * @param where An IANA name, e.g. `Europe/Berlin`, or the offset from UTC in minutes.
   * @throws Error when the expression or the time zone is not valid, or no date matches.
   */
  constructor(expression: string, where: string | number) {
    this.timeZone = typeof where === 'string' ? where : 'UTC';
    this.offset = typeof where === 'string' ? 0 : where * MINUTE;
    this.time = new CronTime(expression, this.timeZone);
    this.next(0);
  }

  next(after: number): number {
    for (let from = after; ; from += SECOND) {
      const local = this.time.getNextDateFrom(new Date(from + this.offset), this.timeZone).toMillis();
      const tick = local - this.offset;
      // When clocks are set back, an hour occurs twice, and the library may return a time in the first of them.
      if (tick > after) return tick;
    }
  }
}
