/** A job was to run now, but a run of it is still going on and `waitForCompletion` is set. */
export class JobRunningError extends Error {
  override readonly name = 'JobRunningError';
  readonly code = 'JOB_RUNNING';

  constructor(readonly job: string) {
    super(`a run of job '${job}' is still going on`);
  }
}
