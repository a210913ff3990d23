/** The options of a group are invalid. Lists all problems, one sentence for each, by option name. */
export class InvalidGroupOptionsError extends Error {
  override readonly name = 'InvalidGroupOptionsError';
  readonly code = 'INVALID_OPTIONS';

  constructor(readonly problems: readonly string[]) {
    super(`invalid options of the group:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
