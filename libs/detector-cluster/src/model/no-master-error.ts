/** A call needs the master, and none has answered in time. */
export class NoMasterError extends Error {
  override readonly name = 'NoMasterError';
  readonly code = 'NO_MASTER';

  constructor(
    /** The method that was called. */
    readonly call: string,
    /** Milliseconds. */
    readonly waited: number,
  ) {
    super(`${call}: no master has answered within ${waited} ms`);
  }
}
