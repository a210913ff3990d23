/** How many dials are under way at the same time, over all links that share it. */
export class DialMeter {
  private most = 0;
  private inFlight = 0;

  /** The most at one time since the start or the last {@link reset}. */
  get max(): number {
    return this.most;
  }

  /** Forgets the maximum so far; dials that are under way count on. */
  reset(): void {
    this.most = this.inFlight;
  }

  /** @returns to be called when the dial has ended, in whatever way; a second call does nothing. */
  begin(): () => void {
    let [counted, ended] = [false, false];
    const count = () => {
      if (ended) return;
      counted = true;
      this.inFlight++;
      this.most = Math.max(this.most, this.inFlight);
    };
    // A socket says only in the turn of the event loop after this one that it has closed: without the wait, the dial that
    // made room for this one would be counted beside it.
    setImmediate(() => setImmediate(count));
    return () => {
      if (counted && !ended) this.inFlight--;
      ended = true;
    };
  }
}
