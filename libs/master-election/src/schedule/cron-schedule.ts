import { CronTime } from 'cron';
import { WallClock } from './wall-clock.js';
import type { JobSchedule } from './job-schedule.js';

/**
 * Ticks of a cron expression: five fields, or six with seconds in front. A tick is each instant at which the clocks on the wall show a
 * matching time. A time that occurs twice, because clocks are set back, has two ticks. If clocks are set forward over a matching time,
 * the tick is the instant of that change.
 */
export class CronSchedule implements JobSchedule {
  private readonly time: CronTime;
  private readonly clock: WallClock;

  /**
   * @param where An IANA name, e.g. `Europe/Berlin`, or the offset from UTC in minutes.
   * @throws Error when the expression or the time zone is not valid, or no date matches.
   */
  constructor(expression: string, where: string | number) {
    this.clock = new WallClock(where);
    this.time = new CronTime(expression, 'UTC');
    this.matchAfter(0);
  }

  next(after: number): number {
    let from = after;
    let offset = this.clock.offsetAt(from);
    for (;;) {
      const match = this.matchAfter(from + offset);
      const change = this.clock.changeBetween(from, match - offset, offset);
      if (change === undefined) return match - offset;
      offset = this.clock.offsetAt(change);
      if (match < change + offset) return change;
      from = change - 1;
    }
  }

  /** The first matching time after a time on the wall. Both are written as instants of UTC. */
  private matchAfter(wall: number): number {
    return this.time.getNextDateFrom(new Date(wall), 'UTC').toMillis();
  }
}
