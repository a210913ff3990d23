const FIRST_RETRY = 50;

/** Pauses between attempts that fail: doubled each time up to a cap, and jittered by half. Milliseconds. */
export class Backoff {
  private failures = 0;

  constructor(private readonly random: () => number) {}

  next(cap: number): number {
    const delay = Math.min(FIRST_RETRY * 2 ** Math.min(this.failures++, 16), cap);
    return delay * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.failures = 0;
  }
}
