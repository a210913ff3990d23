/**
 * Detections per second of each worker, as an exponentially weighted mean: a detection counts 1/`span` at once and fades
 * with that time constant, so no timer is needed.
 */
export class DetectionRates {
  private readonly counts = new Map<string, { value: number; at: number }>();

  /** Times in milliseconds. */
  constructor(
    private readonly now: () => number,
    private readonly span = 10_000,
  ) {}

  observe(worker: string): void {
    const now = this.now();
    const count = this.counts.get(worker);
    if (count === undefined) {
      this.counts.set(worker, { value: 1, at: now });
      return;
    }
    count.value = count.value * Math.exp((count.at - now) / this.span) + 1;
    count.at = now;
  }

  /** Per second, for every worker that ever sent one and was not forgotten. */
  current(): Map<string, number> {
    const now = this.now();
    return new Map(
      [...this.counts].map(([worker, { value, at }]) => [
        worker,
        (value * Math.exp((at - now) / this.span) * 1_000) / this.span,
      ]),
    );
  }

  forget(worker: string): void {
    this.counts.delete(worker);
  }
}
