/** No election was completed in the time that the caller was ready to wait. */
export class ElectionTimeoutError extends Error {
  override readonly name = 'ElectionTimeoutError';
  readonly code = 'ELECTION_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`no election was completed within ${timeoutMs} ms`);
  }
}
