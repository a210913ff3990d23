/** No job of an election has this name. */
export class UnknownJobError extends Error {
  override readonly name = 'UnknownJobError';
  readonly code = 'UNKNOWN_JOB';

  constructor(
    readonly job: string,
    readonly election: string,
  ) {
    super(`the election '${election}' has no job '${job}'`);
  }
}
