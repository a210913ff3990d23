import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises';
import { OneByOne } from './one-by-one.js';

/** How long a computation may run at a time, and how long it then leaves the event loop to other work. Milliseconds. */
const SLICE = 5;

const turns = new OneByOne();

/**
 * Resolves in a later turn of the event loop, in which no other caller gets its turn: slices of several computations in one turn would
 * add up to a long block.
 */
export const nextTurn = (): Promise<void> => turns.run(() => turnOfLoop());

/**
 * Cooperative scheduling: a long computation leaves half of the event loop to other work. Without that, a master with very many
 * subscriptions would neither renew its lease nor read replies in time. One turn of the loop is not enough: work that asks Redis
 * several times in a row needs one turn for each call, and would wait for a slice at each.
 */
export class TimeSlices {
  private began = performance.now();
  private before = 0;

  /**
   * @param isUrgent other work gets one turn of the loop after each slice, and not half of the time: for a small change, and for a new master,
   * because its cluster stands still until it has read everything
   */
  constructor(private readonly isUrgent = false) {}

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
    if (!this.isUrgent) await sleep(SLICE);
    await nextTurn();
    await then?.();
    this.began = performance.now();
  }
}
