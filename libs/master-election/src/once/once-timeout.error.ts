/** The work of a `runOnce` was not completed by another process in the time that the caller was ready to wait. */
export class OnceTimeoutError extends Error {
  override readonly name = 'OnceTimeoutError';
  readonly code = 'ONCE_TIMEOUT';

  constructor(
    readonly key: string,
    readonly timeoutMs: number,
  ) {
    super(`'${key}' was not completed within ${timeoutMs} ms`);
  }
}
