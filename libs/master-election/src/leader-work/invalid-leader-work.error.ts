/** Decorated methods cannot be mounted. Lists all of them, one sentence for each problem, by class and method. */
export class InvalidLeaderWorkError extends Error {
  override readonly name = 'InvalidLeaderWorkError';
  readonly code = 'INVALID_LEADER_WORK';

  constructor(readonly problems: readonly string[]) {
    super(`leader work cannot be mounted:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
