/** This process is no longer master: its successor answers the request. Never reaches a caller. */
export class TermOverError extends Error {
  override readonly name = 'TermOverError';

  constructor(readonly term: number) {
    super(`term ${term} is over`);
  }
}
