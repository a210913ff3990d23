import { toError } from '@detector-cluster/election/internal';
/** A decorated method threw or rejected; `cause` is what it threw. The election is not affected. */
export class LeaderWorkError extends Error {
  override readonly name = 'LeaderWorkError';
  readonly code = 'LEADER_WORK';

  /** @param work `Class.method`. */
  constructor(
    readonly work: string,
    cause: unknown,
  ) {
    super(`${work} failed: ${toError(cause).message}`, { cause });
  }
}

/** Decorated methods cannot be mounted. Lists all of them, one sentence for each problem, by class and method. */
export class InvalidLeaderWorkError extends Error {
  override readonly name = 'InvalidLeaderWorkError';
  readonly code = 'INVALID_LEADER_WORK';

  constructor(readonly problems: readonly string[]) {
    super(`leader work cannot be mounted:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

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
