/** A command of the user did not succeed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code = 'COMMAND_FAILED';

  /** @param command `begin`, `end` or the command itself. */
  constructor(command: string, what: string) {
    super(`the ${command} command ${what}`);
  }
}
