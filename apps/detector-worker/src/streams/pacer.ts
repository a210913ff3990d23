const MAX_CATCH_UP_MS = 1000;
/**
 * Says how many events are due on a timer that is neither punctual nor fast: the long-run rate is exact, each call
 * returns the burst since the last. A pause of more than a second is not made up for, as a camera's would not be.
 */
export class Pacer {
  #next: number;

  /**
   * @param perSecond events per second; 0 for none
   * @param start clock reading at which the first event is due
   */
  constructor(
    private readonly perSecond: number,
    start: number,
  ) {
    this.#next = start;
  }

  /** Events due up to `now` that no earlier call has returned. */
  due(now: number): number {
    if (this.perSecond === 0 || now < this.#next) return 0;
    const interval = 1000 / this.perSecond;
    if (now - this.#next > MAX_CATCH_UP_MS) {
      const skipped = Math.floor((now - MAX_CATCH_UP_MS - this.#next) / interval);
      this.#next += skipped * interval;
    }
    const count = Math.floor((now - this.#next) / interval) + 1;
    this.#next += count * interval;
    return count;
  }
}
