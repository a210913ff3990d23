/** Delay so that one pass sees all changes that arrive together. Milliseconds. */
const GATHER = 10;

/**
 * Runs one function again and again, never twice at once: soon after {@link trigger}, or when the instant that the last
 * run asked for has come. A change during a run leads to another run.
 */
export class SerialLoop {
  private run: (() => Promise<number | null>) | null = null;
  private running = false;
  private dirty = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Number.POSITIVE_INFINITY;

  /**
   * Runs soon for the first time. Before that, {@link trigger} has no effect.
   * @param run resolves with the instant (monotonic milliseconds) at which it wants to run again, or null. It must not reject.
   */
  start(run: () => Promise<number | null>): void {
    this.run = run;
    this.trigger();
  }

  trigger(): void {
    if (this.stopped || this.run === null) return;
    if (this.running) this.dirty = true;
    else this.wakeAt(performance.now() + GATHER);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private wakeAt(at: number): void {
    if (this.stopped || at >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(() => void this.execute(), Math.max(0, Math.ceil(at - performance.now())));
  }

  private async execute(): Promise<void> {
    this.timerAt = Number.POSITIVE_INFINITY;
    if (this.stopped || this.running || this.run === null) return;
    this.running = true;
    this.dirty = false;
    const next = await this.run();
    this.running = false;
    if (this.dirty) this.trigger();
    else if (next !== null) this.wakeAt(Math.max(next, performance.now() + GATHER));
  }
}

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Callers that wait for the next run, which begins after their call. */
export class NextRun<T> {
  private waiting: Waiter<T>[] = [];

  next(): Promise<T> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Runs `work` for all callers that wait now, and passes its outcome to them. Rejects as `work` does. */
  async serve(work: () => Promise<T>): Promise<T> {
    const served = this.waiting;
    this.waiting = [];
    try {
      const value = await work();
      for (const { resolve } of served) resolve(value);
      return value;
    } catch (error) {
      for (const { reject } of served) reject(error as Error);
      throw error;
    }
  }

  /** Nothing runs any more. */
  rejectAll(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
