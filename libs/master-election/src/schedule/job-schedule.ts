import { CronTime } from 'cron';
import { WallClock } from './wall-clock.js';

/** Ticks in milliseconds since 1970, the same on every process. */
export interface JobSchedule {
  /** The first tick after a moment; `Infinity` when there is none. Never decreases as the moment increases. */
  next(after: number): number;
}

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
