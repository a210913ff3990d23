/**
 * Detections per second of each partition, as an exponentially weighted mean: a detection counts 1/`span` at once and fades
 * with that time constant, so no timer is needed.
 */
export class DetectionRates {
  private readonly counts = new Map<number, { value: number; at: number }>();
  private readonly since: number;

  constructor(
    private readonly now: () => number,
    private readonly span = 10_000,
  ) {
    this.since = now();
  }

  observe(partition: number): void {
    const now = this.now();
    const count = this.counts.get(partition);
    if (count === undefined) this.counts.set(partition, { value: 1, at: now });
    else {
      count.value = count.value * Math.exp((count.at - now) / this.span) + 1;
      count.at = now;
    }
  }

  /**
   * Per second, for every partition that has had one; once it has observed for a time constant, a partition without a detection has the
   * rate 0.
   */
  ofAll(partitions: number): Map<number, number> {
    const now = this.now();
    const rates = new Map<number, number>();
    if (now - this.since >= this.span)
      for (let partition = 0; partition < partitions; partition++) rates.set(partition, 0);
    for (const [partition, { value, at }] of this.counts)
      rates.set(partition, (value * Math.exp((at - now) / this.span) * 1_000) / this.span);
    return rates;
  }
}
