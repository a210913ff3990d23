/** No election completed within the timeout of the caller. */
export class ElectionTimeoutError extends Error {
  override readonly name = 'ElectionTimeoutError';
  readonly code = 'ELECTION_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`no election was completed within ${timeoutMs} ms`);
  }
}
