/** This process is no longer master: its successor answers the request. Never reaches a caller. */
export class TenureOverError extends Error {
  override readonly name = 'TenureOverError';

  constructor(readonly term: number) {
    super(`term ${term} is over`);
  }
}
