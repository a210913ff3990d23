/**
 * Detections per second of each partition, as an exponentially weighted mean: a detection counts 1/`span` at once and fades
 * with that time constant, so no timer is needed.
 */
export class DetectionRates {
  private readonly counts = new Map<number, { value: number; at: number }>();

  /** Times in milliseconds. */
  constructor(
    private readonly now: () => number,
    private readonly span = 10_000,
  ) {}

  observe(partition: number): void {
    const now = this.now();
    const count = this.counts.get(partition);
    if (count === undefined) {
      this.counts.set(partition, { value: 1, at: now });
      return;
    }
    count.value = count.value * Math.exp((count.at - now) / this.span) + 1;
    count.at = now;
  }

  /** Per second, for every partition that has had one. */
  current(): Map<number, number> {
    const now = this.now();
    return new Map(
      [...this.counts].map(([partition, { value, at }]) => [
        partition,
        (value * Math.exp((at - now) / this.span) * 1_000) / this.span,
      ]),
    );
  }
}
