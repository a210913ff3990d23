import { CronTime } from 'cron';

/** Ticks in milliseconds since 1970, the same on every process. */
export interface JobSchedule {
  /** The first tick after a moment; `Infinity` when there is none. Never decreases as the moment increases. */
  next(after: number): number;
}

const SECOND = 1_000;
const MINUTE = 60_000;

/** Ticks of a cron expression: five fields, or six with seconds in front. */
export class CronSchedule implements JobSchedule {
  private readonly time: CronTime;
  /** The offset that is added to an instant before it is read as UTC. Milliseconds. */
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

/** Ticks at the multiples of a period since 1970, so that all processes have the same ticks. */
export class IntervalSchedule implements JobSchedule {
  /** @param period Whole milliseconds, at least 1. */
  constructor(private readonly period: number) {}

  next(after: number): number {
    return (Math.floor(after / this.period) + 1) * this.period;
  }
}

/** A single tick. */
export class OneTimeSchedule implements JobSchedule {
  /** @param tick Milliseconds since 1970. */
  constructor(private readonly tick: number) {}

  next(after: number): number {
    return after < this.tick ? this.tick : Infinity;
  }
}

/** The last tick after `after` that is not after `until`; `undefined` when there is none. Whole milliseconds. */
export function lastTick(schedule: JobSchedule, after: number, until: number): number | undefined {
  let tick = schedule.next(after);
  if (tick > until) return undefined;
  let behind = until;
  // There may be millions of ticks after `tick`, so this bisects with the invariant: tick <= last <= behind.
  while (tick < behind) {
    const middle = tick + Math.floor((behind - tick) / 2);
    const next = schedule.next(middle);
    if (next <= until) tick = next;
    else if (middle === tick) return tick;
    else behind = middle;
  }
  return tick;
}
