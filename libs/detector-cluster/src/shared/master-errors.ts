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
    super(`${call}: no answer from a master within ${waited} ms`);
  }
}

/** Why a request to the master failed; a small fixed set. */
export type MasterRequestProblem =
  /** The request failed. The message contains the error, and the master's log has details. */
  | 'failed'
  /** The request was still running at the timeout, and continues. */
  | 'timeout'
  /** The master could not read the desired state: the database or Redis is unavailable. */
  | 'unreadable'
  /** The answer is larger than one message may be. */
  | 'too-large'
  /** The master does not know the method, because it runs an older version. */
  | 'unknown-method'
  /** This process is shutting down. */
  | 'closed';

/** A call that the master carries out has not succeeded, although there is a master. */
export class MasterRequestError extends Error {
  override readonly name = 'MasterRequestError';
  readonly code = 'MASTER_REQUEST';

  constructor(
    /** The method that was called. */
    readonly call: string,
    readonly problem: MasterRequestProblem,
    /** The text of the message after the method. */
    readonly detail: string,
  ) {
    super(`${call}: ${detail}`);
  }

  static unreadable(call: string): MasterRequestError {
    const detail = "the desired state cannot be read, so what runs stays as it is; the master's log says why";
    return new MasterRequestError(call, 'unreadable', detail);
  }
}

/** This process is no longer master: its successor answers the request. Never reaches a caller. */
export class TermOverError extends Error {
  override readonly name = 'TermOverError';

  constructor(readonly term: number) {
    super(`term ${term} is over`);
  }
}
