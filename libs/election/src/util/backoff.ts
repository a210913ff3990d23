/** `first`, doubled with each of the `failures` before, at most `cap`. */
export function doubling(first: number, failures: number, cap: number): number {
  return Math.min(first * 2 ** Math.min(failures, 30), cap);
}

const FIRST_RETRY = 50;

/** Pauses between attempts that fail: doubled each time up to a cap, and jittered by half. Milliseconds. */
export class Backoff {
  private failures = 0;

  constructor(private readonly random: () => number) {}

  next(cap: number): number {
    const delay = doubling(FIRST_RETRY, this.failures++, cap);
    return delay * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.failures = 0;
  }
}
