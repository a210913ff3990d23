/** A write was refused because a leader of a later term has written: this process has been deposed. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly code = 'FENCED';

  /**
   * @param term Of the write that was refused.
   * @param fence The highest term that has written.
   */
  constructor(
    readonly term: number,
    readonly fence: number,
  ) {
    super(`a leader of term ${fence} has taken over; writes of term ${term} are refused`);
  }
}

/** Throws a `RangeError` when `term` cannot have come from a lease: the fence would be void. */
export function checkTerm(term: number): void {
  if (!Number.isSafeInteger(term) || term < 1)
    throw new RangeError(`term must be a positive whole number, not ${term}: pass lease.term`);
}
