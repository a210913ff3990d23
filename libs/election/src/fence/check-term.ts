/** Throws a `RangeError` when `term` cannot have come from a lease: the fence would be void. */
export function checkTerm(term: number): void {
  if (!Number.isSafeInteger(term) || term < 1)
    throw new RangeError(`term must be a positive whole number, not ${term}: pass lease.term`);
}
