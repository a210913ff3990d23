/** A lease ended while somebody waited for it, or before the work under it was done. */
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
      `the store started a short while ago; nobody can be elected for another ${(retryIn / 1000).toFixed(1)} s`,
    );
  }
}
