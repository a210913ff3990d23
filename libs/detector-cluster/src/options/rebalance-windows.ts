import { CronTime } from 'cron';

/** A time in which cameras may move to balance the load. */
export interface RebalanceWindow {
  /** When it opens: a cron expression of five fields, e.g. `0 1 * * 1-5`. */
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

type Window = RebalanceWindow & { readonly time: CronTime };

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
    for (const { duration, time, timeZone } of this.windows) {
      // The first opening whose window is not over.
      const opening = time.getNextDateFrom(new Date(now - duration), timeZone).toMillis();
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
  const isZone = typeof timeZone === 'string' && isTimeZone(timeZone);
  if (!isZone)
    problems.push(`${option}.timeZone: must be an IANA name such as Europe/Zurich, got ${String(timeZone)}`);
  const time = cronTimeOf(opens, isZone ? timeZone : 'UTC');
  if (time === null)
    problems.push(`${option}.opens: must be a cron expression of five fields, got ${String(opens)}`);
  return time === null || problems.length > found ? null : { duration, opens, timeZone, time };
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

/** Null: it is no expression of five fields, or never matches. */
function cronTimeOf(expression: unknown, timeZone: string): CronTime | null {
  if (typeof expression !== 'string' || expression.trim().split(/\s+/).length !== FIELDS) return null;
  try {
    const time = new CronTime(expression, timeZone);
    time.getNextDateFrom(new Date(0), timeZone);
    return time;
  } catch {
    return null;
  }
}
