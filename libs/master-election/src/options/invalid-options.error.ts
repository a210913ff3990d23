/** The options of the module are wrong. Lists everything that is, one sentence for each problem, by option name. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  readonly code = 'INVALID_OPTIONS';

  constructor(readonly problems: readonly string[]) {
    super(
      `invalid options of MasterElectionModule:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
