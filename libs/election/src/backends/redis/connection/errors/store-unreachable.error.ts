/** The store cannot be reached. The command was not sent. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
  readonly code = 'STORE_UNREACHABLE';

  constructor(status: string, cause?: unknown) {
    super(`Redis cannot be reached (${status})`, { cause });
  }
}
