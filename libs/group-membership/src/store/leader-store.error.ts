/** The store could not be reached, or refused: it is not known whether there is a record. */
export class LeaderStoreError extends Error {
  override readonly name = 'LeaderStoreError';
  readonly code = 'LEADER_STORE';

  /** @param doing What was tried. */
  constructor(doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    super(`the leader store failed to ${doing}: ${reason}`, { cause });
  }
}
