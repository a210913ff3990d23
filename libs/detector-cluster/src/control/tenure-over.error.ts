/** This process is no longer master: what it was asked is for its successor. Never reaches a caller. */
export class TenureOverError extends Error {
  override readonly name = 'TenureOverError';

  constructor(readonly term: number) {
    super(`term ${term} is over`);
  }
}
