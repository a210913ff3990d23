/** What one process has done for a scheduled job since it started. */
export interface JobProgress {
  /** Runs that are going on. */
  readonly running: number;
  readonly starts: number;
  /** Ticks that were not started here. Those due while this process was not master are not counted. */
  readonly skipped: number;
  /** Runs that threw, rejected or took longer than `timeout`. */
  readonly failures: number;
  /** The tick that was started last, milliseconds since 1970. */
  readonly lastTick: number | null;
  /** The next tick; `null` on a slave. */
  readonly nextTick: number | null;
}
