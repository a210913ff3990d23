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

/**
 * Why this process did not start a tick. `running`: a run of the job was in progress. `overtaken`: a later tick was due as well.
 * `repeated`: this tick or a later one had been started before, usually by another process. `lost`: the lease was lost.
 * `unrecorded`: the store did not answer before the next tick was due. `delayed`: the tick was later than `threshold`.
 */
export type SkipReason = 'running' | 'overtaken' | 'repeated' | 'lost' | 'unrecorded' | 'delayed';

/** One tick of a scheduled job; its method gets it together with the lease. */
export interface MasterTick {
  /** Name of the job. */
  readonly job: string;
  /** When it was due, milliseconds since 1970: the identity of the tick, the same on every process. */
  readonly scheduledAt: number;
  /** The tick was due before this process became master and is caught up now. */
  readonly late: boolean;
  /** `MasterJobRegistry.runNow` started it outside of the schedule. */
  readonly manual: boolean;
}

/** A run of a scheduled job took longer than its `timeout`; its signal has been aborted, and the next run does not wait for it. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
  readonly code = 'JOB_TIMEOUT';

  constructor(
    readonly job: string,
    readonly timeoutMs: number,
  ) {
    super(
      `a run of job '${job}' took longer than ${timeoutMs} ms: its signal is aborted, and further runs do not wait for it`,
    );
  }
}

/** `runNow` was called while a run of the job is in progress and `waitForCompletion` is set. */
export class JobRunningError extends Error {
  override readonly name = 'JobRunningError';
  readonly code = 'JOB_RUNNING';

  constructor(readonly job: string) {
    super(`a run of job '${job}' is still going on`);
  }
}
