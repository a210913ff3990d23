/** Progress of a scheduled job in one process since the process started. */
export interface JobProgress {
  /** Runs in progress. */
  readonly running: number;
  readonly starts: number;
  /** Ticks that this process skipped. Ticks due while it was not master do not count. */
  readonly skipped: number;
  /** Runs that threw, rejected or took longer than `timeout`. */
  readonly failures: number;
  /** The tick that was started last, milliseconds since 1970. */
  readonly lastTick: number | null;
  /** The next tick; `null` on a slave. */
  readonly nextTick: number | null;
}
