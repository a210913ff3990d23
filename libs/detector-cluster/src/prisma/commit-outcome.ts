/** Nothing was sent, the statement was refused, or the transaction was rolled back. */
const NOT_COMMITTED = /^P(?:2\d{3}|6\d{3}|100[01]|1003|1010)$/;

/**
 * Whether a failed write may have been committed all the same: the connection was lost, or the answer did not come, after
 * the statement or the COMMIT had been sent.
 */
export function mayHaveCommitted(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return true;
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'PrismaClientValidationError' || name === 'PrismaClientInitializationError') return false;
  return !(typeof code === 'string' && NOT_COMMITTED.test(code));
}
