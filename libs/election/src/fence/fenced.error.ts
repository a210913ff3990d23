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

/** Most characters of a value in a message. */
const SHOWN = 50;

/** A fence holds no term, because another program has written to its key. Nothing is written until that is repaired. */
export class UnreadableFenceError extends Error {
  override readonly name = 'UnreadableFenceError';
  readonly code = 'FENCE_UNREADABLE';

  /**
   * @param key Of the fence.
   * @param term Of the write that was refused.
   * @param value What it holds, '' for a value of another type than string.
   */
  constructor(
    readonly key: string,
    readonly term: number,
    value: string,
  ) {
    const what = value === '' ? 'a value of another type' : JSON.stringify(value.slice(0, SHOWN));
    super(
      `the fence ${key} holds ${what} instead of a term: another program has written it. If no leader has had a later term, repair it by SET ${key} ${term}`,
    );
  }
}

/** Throws a `RangeError` when `term` cannot have come from a lease: the fence would be void. */
export function checkTerm(term: number): void {
  if (!Number.isSafeInteger(term) || term < 1)
    throw new RangeError(`term must be a positive whole number, not ${term}: pass lease.term`);
}
