/** Decorated methods cannot be mounted. Lists all of them, one sentence for each problem, by class and method. */
export class InvalidClusterHandlerError extends Error {
  override readonly name = 'InvalidClusterHandlerError';
  readonly code = 'INVALID_CLUSTER_HANDLER';

  constructor(readonly problems: readonly string[]) {
    super(
      `handlers of the detector cluster cannot be mounted:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
