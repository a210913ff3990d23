import type { Clock } from '../../util/clock.js';
import { toError } from '../../util/to-error.js';
import { isInterruption } from './is-interruption.js';

/** Work under one lease that hand-over waits for. */
export class LeaderWork {
  private readonly running = new Set<Promise<void>>();
  private idle: () => void = () => undefined;
  private open = true;

  /** @param failed Receives what work rejects with, unless it ended because `signal` aborted. */
  constructor(
    private readonly signal: AbortSignal,
    private readonly failed: (error: Error) => void,
  ) {}

  /** How much of it has not settled. */
  get pending(): number {
    return this.running.size;
  }

  /** Adds work to wait for, unless waiting is over. A rejection is always reported. */
  add(work: Promise<unknown>): void {
    const settled: Promise<void> = Promise.resolve(work).then(
      () => this.done(settled),
      (error: unknown) => {
        if (!isInterruption(error, this.signal)) this.failed(toError(error));
        this.done(settled);
      },
    );
    if (this.open) this.running.add(settled);
  }

  /**
   * Resolves when all work has settled, or after `timeout` ms. Work added later is not tracked.
   * @returns how much work was still running.
   */
  async drain(timeout: number, clock: Clock): Promise<number> {
    if (this.running.size > 0) await this.whenIdle(timeout, clock);
    const left = this.running.size;
    this.open = false;
    this.running.clear();
    return left;
  }

  private whenIdle(timeout: number, clock: Clock): Promise<void> {
    return new Promise((resolve) => {
      this.idle = () => {
        clock.clearTimeout(timer);
        resolve();
      };
      const timer = clock.setTimeout(this.idle, timeout);
    });
  }

  private done(settled: Promise<void>): void {
    if (this.running.delete(settled) && this.running.size === 0) this.idle();
  }
}
