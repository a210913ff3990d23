import type { Clock } from './clock.js';

/** Sleeps until a time has passed, a signal aborts, or {@link wake} is called. */
export class Waker {
  private awake = false;
  private done: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Ends the current sleep. Without one, the next sleep ends at once. */
  wake(): void {
    this.awake = true;
    this.done?.();
  }

  /** Sleeps for at most `duration` ms. */
  async sleep(duration: number, signal: AbortSignal): Promise<void> {
    if (!this.awake && !signal.aborted && duration > 0)
      await new Promise<void>((resolve) => {
        const timer = this.clock.setTimeout(() => this.done?.(), Math.ceil(duration));
        this.done = () => {
          this.done = undefined;
          this.clock.clearTimeout(timer);
          signal.removeEventListener('abort', this.wakeOnAbort);
          resolve();
        };
        signal.addEventListener('abort', this.wakeOnAbort);
      });
    this.awake = false;
  }

  private readonly wakeOnAbort = () => this.done?.();
}
