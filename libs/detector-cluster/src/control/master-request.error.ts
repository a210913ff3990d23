/** Why the master has not given what it was asked for; few and fixed. */
export type MasterRequestProblem =
  /** It failed; the message says how, and the master's log says more. */
  | 'failed'
  /** It has begun and takes long; it goes on. */
  | 'timeout'
  /** It does not know yet what it was asked for: it has only just become master. */
  | 'not-ready'
  /** The answer is larger than one message may be. */
  | 'too-large'
  /** It does not know the method: it runs an older version. */
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
    /** What the message says after the method. */
    readonly detail: string,
  ) {
    super(`${call}: ${detail}`);
  }
}
