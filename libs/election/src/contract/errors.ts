/** A lease ended while a caller waited for it, or before the work under it was done. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
  readonly code = 'LEADERSHIP_LOST';

  constructor(
    readonly term: number,
    readonly reason: string,
  ) {
    super(`leadership of term ${term} was lost: ${reason}`);
  }
}

/** Work under a lease was still running at the end of the handover timeout. The elector has stopped waiting for it. */
export class HandoverTimeoutError extends Error {
  override readonly name = 'HandoverTimeoutError';
  readonly code = 'HANDOVER_TIMEOUT';

  /**
   * @param pending How much work had not settled.
   * @param timeout How long the elector waited for it. Milliseconds.
   */
  constructor(
    readonly term: number,
    readonly pending: number,
    readonly timeout: number,
  ) {
    super(
      `leadership of term ${term} was handed over while ${pending} piece(s) of work under it were still running: ` +
        `they did not end within ${timeout} ms after their lease's signal aborted`,
    );
  }
}

/** The end handler failed each time it was tried: what began with leadership may still be going on. The elector has stopped. */
export class ElectorGaveUpError extends Error {
  override readonly name = 'ElectorGaveUpError';
  readonly code = 'ELECTOR_GAVE_UP';

  /**
   * @param term Of the term that was to end.
   * @param interval Between two attempts. Milliseconds.
   * @param cause What the last attempt failed with.
   */
  constructor(
    readonly term: number,
    readonly attempts: number,
    readonly interval: number,
    cause: unknown,
  ) {
    super(
      `the end handler of term ${term} failed ${attempts} times, ${interval / 1_000} s apart, and this process may still act as leader: ` +
        `end it. The last error was: ${String(cause)}`,
      { cause },
    );
  }
}

/** Another living process campaigns under this candidate's id, and leads. This one follows it. */
export class DuplicateCandidateError extends Error {
  override readonly name = 'DuplicateCandidateError';
  readonly code = 'DUPLICATE_CANDIDATE';

  constructor(readonly candidateId: string) {
    super(
      `another process leads under the candidate id '${candidateId}' of this one: give each process an id of its own`,
    );
  }
}

/** A backend broke the contract: it granted a term that is not above the last one. */
export class ElectionProtocolError extends Error {
  override readonly name = 'ElectionProtocolError';
  readonly code = 'ELECTION_PROTOCOL';

  constructor(
    readonly backend: string,
    readonly lastTerm: number,
    readonly term: number,
  ) {
    super(`backend '${backend}' granted term ${term} after term ${lastTerm}`);
  }
}

/**
 * The store restarted a short while ago and grants no leadership yet: a leader from before may still be acting.
 */
export class StoreRestartedError extends Error {
  override readonly name = 'StoreRestartedError';
  readonly code = 'STORE_RESTARTED';

  /** @param retryIn Milliseconds until it grants again. */
  constructor(readonly retryIn: number) {
    super(
      `the store started a short while ago; no candidate can be elected for another ${(retryIn / 1000).toFixed(1)} s`,
    );
  }
}

/**
 * The lease could not be read, because another program has written to its key. It was replaced by one that ends when no earlier leader
 * can act any more. Until then no candidate is elected.
 */
export class UnreadableLeaseError extends Error {
  override readonly name = 'UnreadableLeaseError';
  readonly code = 'LEASE_UNREADABLE';

  /** @param retryIn Milliseconds until it ends. */
  constructor(
    key: string,
    readonly retryIn: number,
  ) {
    super(
      `another program has written to ${key}, so it is unknown who leads; no candidate can be elected for another ${(retryIn / 1000).toFixed(1)} s`,
    );
  }
}
