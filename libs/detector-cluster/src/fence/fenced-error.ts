/** A write was refused because a master of a later term has written: this process has been deposed. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly code = 'FENCED';

  constructor(
    readonly term: number,
    readonly fence: number,
  ) {
    super(`a master of term ${fence} has taken over; writes of term ${term} are refused`);
  }
}
