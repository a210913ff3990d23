/** `runNow` was called while a run of the job is in progress and `waitForCompletion` is set. */
export class JobRunningError extends Error {
  override readonly name = 'JobRunningError';
  readonly code = 'JOB_RUNNING';

  constructor(readonly job: string) {
    super(`a run of job '${job}' is still going on`);
  }
}
