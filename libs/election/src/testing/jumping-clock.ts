import { systemClock, type Clock } from '../util/clock.js';

/** The system's clock with a wall clock that a test can set while the process runs. Monotonic time is not affected. */
export class JumpingClock implements Clock {
  private offset = 0;
  readonly now = systemClock.now;
  readonly setTimeout = systemClock.setTimeout;
  readonly clearTimeout = systemClock.clearTimeout;

  wallNow(): number {
    return systemClock.wallNow() + this.offset;
  }

  /** Sets the wall clock forward, or back. Milliseconds. */
  jump(by: number): void {
    this.offset += by;
  }
}
