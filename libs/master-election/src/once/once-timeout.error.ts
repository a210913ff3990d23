/** No other process completed the work of a `runOnce` within the timeout of the caller. */
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
