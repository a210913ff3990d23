/** How many dials are under way at the same time, over all links that share it. */
export class DialMeter {
  max = 0;
  private inFlight = 0;

  /** @returns to be called when the dial has ended, in whatever way; a second call does nothing. */
  begin(): () => void {
    this.inFlight++;
    this.max = Math.max(this.max, this.inFlight);
    let open = true;
    return () => {
      if (open) this.inFlight--;
      open = false;
    };
  }
}
