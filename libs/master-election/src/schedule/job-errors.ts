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
