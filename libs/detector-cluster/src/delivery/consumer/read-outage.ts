/** Since when a process has not been able to read what is for it. A reader that waits for slow callbacks is able. */
export class ReadOutage {
  private since: number | null = null;

  /** @param now milliseconds, monotonic */
  constructor(private readonly now: () => number) {}

  /** Reading failed, or begins and has not succeeded yet. */
  failed(): void {
    this.since ??= this.now();
  }

  succeeded(): void {
    this.since = null;
  }

  /** Milliseconds; null while it can be read. */
  get duration(): number | null {
    return this.since === null ? null : this.now() - this.since;
  }
}
