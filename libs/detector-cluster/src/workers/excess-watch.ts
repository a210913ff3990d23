/** Excess that stops for longer has ended. Milliseconds. */
const GAP = 2_000;
/** Excess for so long is no burst. Milliseconds. */
const PERSISTS = 5_000;

/** Whether a worker keeps sending more than its budget. Times are monotonic, milliseconds. */
export class ExcessWatch {
  private since = Number.NaN;
  private last = Number.NEGATIVE_INFINITY;

  /** It has exceeded its budget. */
  note(now: number): void {
    if (now - this.last > GAP) this.since = now;
    this.last = now;
  }

  /** Its excess lasted until now. */
  lasted(now: number): void {
    this.last = now;
  }

  persistsAt(now: number): boolean {
    return now - this.last <= GAP && now - this.since >= PERSISTS;
  }
}
