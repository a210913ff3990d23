/** A decorated method threw or rejected; `cause` is what it threw. The election is not affected. */
export class LeaderWorkError extends Error {
  override readonly name = 'LeaderWorkError';
  readonly code = 'LEADER_WORK';

  /** @param work `Class.method`. */
  constructor(
    readonly work: string,
    cause: unknown,
  ) {
    super(`${work} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
