import { CronSchedule } from '@detector-cluster/master-election/internal';

/** A time in which cameras may move to balance the load. */
export interface RebalanceWindow {
  /** When it opens: a cron expression of five fields, e.g. `0 1 * * 1-5`. When clocks change, it opens as a `@MasterCron` job starts. */
  readonly opens: string;
  /** Of the expression: an IANA name, e.g. `Europe/Zurich`. */
  readonly timeZone: string;
  /** How long it stays open. Milliseconds, from a minute to a week. */
  readonly duration: number;
}

const MIN_DURATION = 60_000;
const MAX_DURATION = 7 * 24 * 3_600_000;
const FIELDS = 5;

const EXAMPLE = 'such as { opens: "0 1 * * *", timeZone: "Europe/Zurich", duration: 14_400_000 }';

interface Window {
  readonly schedule: CronSchedule;
  readonly duration: number;
}

/** Tells when cameras may move to balance the load. */
export class RebalanceWindows {
  /** What holds from when until when. */
  private known = { opensAt: null as number | null, from: 0, until: 0 };

  private constructor(private readonly windows: readonly Window[]) {}

  /** Adds each problem to `problems`, with the name of its option. */
  static of(raw: readonly RebalanceWindow[] = [], problems: string[]): RebalanceWindows {
    if (Array.isArray(raw))
      return new RebalanceWindows(
        (raw as readonly unknown[]).flatMap(
          (each, i) => windowOf(each, `rebalanceWindows[${i}]`, problems) ?? [],
        ),
      );
    problems.push(`rebalanceWindows: must be a list of windows ${EXAMPLE}`);
    return new RebalanceWindows([]);
  }

  /**
   * When the next window opens; null: one is open, or there are none. A window is open from its opening until its duration is over.
   * @param now wall clock, milliseconds
   */
  opensAt(now: number): number | null {
    if (this.windows.length === 0) return null;
    // The clock may be set back.
    if (now < this.known.from || now >= this.known.until) this.known = this.lookAt(now);
    return this.known.opensAt;
  }

  private lookAt(now: number): RebalanceWindows['known'] {
    let [opensAt, closesAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { duration, schedule } of this.windows) {
      // The first opening whose window is not over.
      const opening = schedule.next(now - duration);
      if (opening <= now) closesAt = Math.max(closesAt, opening + duration);
      else opensAt = Math.min(opensAt, opening);
    }
    return closesAt > now
      ? { opensAt: null, from: now, until: closesAt }
      : { opensAt, from: now, until: opensAt };
  }
}

/** Null: it has a problem. */
function windowOf(given: unknown, option: string, problems: string[]): Window | null {
  if (typeof given !== 'object' || given === null) {
    problems.push(`${option}: must be a window ${EXAMPLE}`);
    return null;
  }
  const { duration, opens, timeZone } = given as RebalanceWindow;
  const found = problems.length;
  if (!Number.isFinite(duration) || duration < MIN_DURATION || duration > MAX_DURATION)
    problems.push(
      `${option}.duration: must be a number of milliseconds from a minute to a week, got ${String(duration)}`,
    );
  const isZone = typeof timeZone === 'string' && scheduleOf('* * * * *', timeZone) !== null;
  if (!isZone)
    problems.push(`${option}.timeZone: must be an IANA name such as Europe/Zurich, got ${String(timeZone)}`);
  const schedule = scheduleOf(opens, isZone ? timeZone : 'UTC');
  if (schedule === null)
    problems.push(`${option}.opens: must be a cron expression of five fields, got ${String(opens)}`);
  return schedule === null || problems.length > found ? null : { schedule, duration };
}

/** Null: it is no expression of five fields or never matches, or there is no such time zone. */
function scheduleOf(expression: unknown, timeZone: string): CronSchedule | null {
  if (typeof expression !== 'string' || expression.trim().split(/\s+/).length !== FIELDS) return null;
  try {
    return new CronSchedule(expression, timeZone);
  } catch {
    return null;
  }
}
