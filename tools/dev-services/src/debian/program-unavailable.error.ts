import { messageOf } from '../support/message-of.js';

/** A server program is unavailable on this machine. The message names three ways to get it. */
export class ProgramUnavailableError extends Error {
  override readonly name = 'ProgramUnavailableError';

  constructor(
    /** Name of the executable. */
    readonly program: string,
    packageName: string,
    cause: unknown,
  ) {
    super(
      [
        `No ${program}: none in PATH, and none could be fetched from the distribution`,
        `(${messageOf(cause)}).`,
        'Three ways to get one:',
        `  1. install it with the package manager: "apt install ${packageName}", "brew install ${program}"`,
        `  2. unpack a release of ${program} and put its folder into PATH`,
        '  3. give this machine an apt source of its distribution; the package is then fetched by itself',
      ].join('\n'),
      { cause },
    );
  }
}
