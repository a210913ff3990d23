import { systemClock, type Clock, type TimerHandle } from './clock.js';
import { NextRun } from './next-run.js';
import { toError } from './to-error.js';

export interface RepeaterOptions<T> {
  /** Makes one run. To run again later, it pokes its repeater. */
  readonly run: () => Promise<T>;
  /**
   * A run has failed. It is repeated only if this function pokes. Not called after the end.
   * @param failures how many runs in a row have failed before
   */
  readonly onError?: (error: Error, failures: number) => void;
  /** Whether no run begins before {@link Repeater.start}. Default false. */
  readonly held?: boolean;
  /** Ends it: no run begins any more, and callers that wait for one get the reason. */
  readonly signal?: AbortSignal;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Runs one function again and again: when something pokes it, and never twice at once. A poke during a run leads to another run, because
 * the present one may have missed what has changed.
 */
export class Repeater<T = void> {
  private readonly clock: Clock;
  /** When the next run is wanted, and when it may begin. Monotonic milliseconds. */
  private wanted = Number.POSITIVE_INFINITY;
  private earliest: number;
  /** When {@link fire} is called. */
  private armed = Number.POSITIVE_INFINITY;
  private timer: TimerHandle;
  /** The present run, or the last one. */
  private present: Promise<void> = Promise.resolve();
  private isRunning = false;
  private failures = 0;
  private readonly nextRun = new NextRun<T>();

  constructor(private readonly options: RepeaterOptions<T>) {
    this.clock = options.clock ?? systemClock;
    this.earliest = options.held === true ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    options.signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  get running(): boolean {
    return this.isRunning;
  }

  /** Resolves when the present run, if any, has ended. */
  get settled(): Promise<void> {
    return this.present;
  }

  /** Makes the first run, although it was held. */
  start(): void {
    this.earliest = Number.NEGATIVE_INFINITY;
    this.poke();
    this.arm();
  }

  /** Has a run begin `delay` ms from now at the latest; without a delay, when the caller has given back control. */
  poke(delay = 0): void {
    const at = this.clock.now() + delay;
    if (at >= this.wanted) return;
    this.wanted = at;
    this.arm();
  }

  /** Lets no run begin within `duration` ms from now, whatever pokes it. */
  rest(duration: number): void {
    this.earliest = this.clock.now() + duration;
  }

  /** Pokes it, and resolves with the outcome of the next run that begins. Rejects as that run does. */
  next(delay = 0): Promise<T> {
    const { signal } = this.options;
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    this.poke(delay);
    return this.nextRun.next();
  }

  private get due(): number {
    return Math.max(this.wanted, this.earliest);
  }

  private arm(): void {
    const { due } = this;
    if (this.isRunning || due >= this.armed || this.options.signal?.aborted) return;
    this.clock.clearTimeout(this.timer);
    this.armed = due;
    const wait = Math.ceil(due - this.clock.now());
    if (wait > 0) this.timer = this.clock.setTimeout(this.fire, wait);
    else queueMicrotask(this.fire);
  }

  private readonly fire = () => {
    this.armed = Number.POSITIVE_INFINITY;
    if (this.options.signal?.aborted) return;
    // Timers may fire slightly early.
    if (this.clock.now() < this.due) this.arm();
    else this.present = this.execute();
  };

  private async execute(): Promise<void> {
    const { onError, run, signal } = this.options;
    this.isRunning = true;
    this.wanted = Number.POSITIVE_INFINITY;
    try {
      await this.nextRun.serve(run);
      this.failures = 0;
    } catch (error) {
      if (!signal?.aborted) onError?.(toError(error), this.failures++);
    } finally {
      this.isRunning = false;
      this.arm();
    }
  }

  private end(): void {
    this.clock.clearTimeout(this.timer);
    this.nextRun.rejectAll(this.options.signal!.reason as Error);
  }
}
