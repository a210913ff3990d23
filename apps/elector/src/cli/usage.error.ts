/** Wrong usage. The message names the flag and the remedy. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  /** Of the program. */
  readonly exitCode: number = 2;
}

/** A flag that is needed was not given; the message names it. */
export class MissingFlagError extends UsageError {
  override readonly name = 'MissingFlagError';
  override readonly exitCode = 1;
}
