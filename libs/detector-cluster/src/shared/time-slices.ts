import { setTimeout as sleep } from 'timers/promises';

/** How long a computation may run at a time, and how long it then leaves the event loop to other work. Milliseconds. */
const SLICE = 5;
/**
 * Cooperative scheduling: a long computation leaves half of the event loop to other work. Without that, a master with very many
 * subscriptions would neither renew its lease nor read replies in time. One turn of the loop is not enough: work that asks Redis
 * several times in a row needs one turn for each call, and would wait for a slice at each.
 */
export class TimeSlices {
  private began = performance.now();
  private before = 0;

  /** Time that the computation itself has taken. Milliseconds. */
  get spent(): number {
    return this.before + performance.now() - this.began;
  }

  isDue(): boolean {
    return performance.now() - this.began >= SLICE;
  }

  /** Resolves when other work has had its share of time. @param then called after that; its time does not count as spent */
  async pause(then?: () => Promise<void>): Promise<void> {
    this.before = this.spent;
    await sleep(SLICE);
    await then?.();
    this.began = performance.now();
  }
}
