/** The store was unavailable or refused the call, so the caller does not know whether there is a record. */
export class LeaderStoreError extends Error {
  override readonly name = 'LeaderStoreError';
  readonly code = 'LEADER_STORE';

  /** @param doing The operation that failed. */
  constructor(doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    super(`the leader store failed to ${doing}: ${reason}`, { cause });
  }
}
