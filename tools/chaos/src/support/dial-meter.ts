/** Counts the concurrent dials of all links that share it. */
export class DialMeter {
  private most = 0;
  private inFlight = 0;

  /** The maximum since the start or the last {@link reset}. */
  get max(): number {
    return this.most;
  }

  /** Forgets the maximum. Dials in flight still count. */
  reset(): void {
    this.most = this.inFlight;
  }

  /** @returns a function to call when the dial has ended in any way; a second call does nothing */
  begin(): () => void {
    let [counted, ended] = [false, false];
    const count = () => {
      if (ended) return;
      counted = true;
      this.inFlight++;
      this.most = Math.max(this.most, this.inFlight);
    };
    // A socket reports its close only in the next turn of the event loop. Without this wait, the dial that made room for
    // this one would be counted together with it.
    setImmediate(() => setImmediate(count));
    return () => {
      if (counted && !ended) this.inFlight--;
      ended = true;
    };
  }
}
