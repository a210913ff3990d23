import type { Clock } from './clock.js';

/** A condition to wait for, until {@link notify} is called, a time has passed, or a signal aborts. */
export class Condition {
  private notified = false;
  private done: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Ends the current wait. Without one, the next wait ends at once. */
  notify(): void {
    this.notified = true;
    this.done?.();
  }

  /** Waits for at most `duration` ms; without a limit if it is `Infinity`. */
  async wait(duration: number, signal: AbortSignal): Promise<void> {
    if (!this.notified && !signal.aborted && duration > 0)
      await new Promise<void>((resolve) => {
        const timer =
          duration === Infinity ? undefined : this.clock.setTimeout(() => this.done?.(), Math.ceil(duration));
        this.done = () => {
          this.done = undefined;
          if (timer !== undefined) this.clock.clearTimeout(timer);
          signal.removeEventListener('abort', this.endOnAbort);
          resolve();
        };
        signal.addEventListener('abort', this.endOnAbort);
      });
    this.notified = false;
  }

  private readonly endOnAbort = () => this.done?.();
}
