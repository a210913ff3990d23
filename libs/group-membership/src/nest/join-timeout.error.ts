/** A process did not become a member of its group in time. It keeps trying to join. */
export class JoinTimeoutError extends Error {
  override readonly name = 'JoinTimeoutError';
  readonly code = 'JOIN_TIMEOUT';

  constructor(
    readonly timeoutMs: number,
    cause: unknown,
  ) {
    super(`this process did not become a member within ${timeoutMs} ms`, { cause });
  }
}
