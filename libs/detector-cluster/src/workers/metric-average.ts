/** Time over which a metric is averaged, and after which a report is out of date. Milliseconds. */
const TIME_CONSTANT = 30_000;
export const MAX_AGE = 6_000;
/**
 * The average of a metric over the last reports: exponential, with a time constant of 30 s. It is changed in place, because the
 * reports of a thousand workers would otherwise leave thousands of objects behind every second.
 */
export class MetricAverage {
  /** NaN: not reported. */
  private value = Number.NaN;
  private at = Number.NaN;

  /** @param value percent; a missing value ends the average */
  add(value: number | null | undefined, at: number): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      this.value = Number.NaN;
      return;
    }
    const isFirst = Number.isNaN(this.value) || at - this.at > MAX_AGE;
    const kept = isFirst ? 0 : Math.exp(-Math.max(0, at - this.at) / TIME_CONSTANT);
    this.value = isFirst ? value : this.value * kept + value * (1 - kept);
    this.at = at;
  }

  /** Null when no report came for 6 s. */
  valueAt(now: number): number | null {
    return Number.isNaN(this.value) || now - this.at > MAX_AGE ? null : this.value;
  }
}
