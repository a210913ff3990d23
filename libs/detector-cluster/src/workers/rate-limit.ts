/** A token bucket that holds one second's worth. Times are monotonic, milliseconds. */
export class RateLimit {
  private tokens: number;
  private at = Number.NaN;

  /** @param perSecond above 0 */
  constructor(private readonly perSecond: number) {
    this.tokens = this.most;
  }

  /** Whether one more fits at this instant. */
  take(now: number): boolean {
    if (!Number.isNaN(this.at))
      this.tokens = Math.min(this.most, this.tokens + ((now - this.at) * this.perSecond) / 1_000);
    this.at = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }

  private get most(): number {
    return Math.max(1, this.perSecond);
  }
}
