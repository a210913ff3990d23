import { type GateClock, systemClock } from './gate-clock.js';

export interface RegenerationGateOptions {
  /**
   * Makes the desired state anew. `reasons` are those of the triggers that it answers, without repetition. `signal`
   * aborts on stop. A rejection is reported, and the run is repeated.
   */
  run(reasons: readonly string[], signal: AbortSignal): Promise<void>;
  /** A run failed and is repeated in `retryIn` ms, or sooner if a trigger comes. Must not throw. */
  onError?(error: unknown, retryIn: number): void;
  /** From the first trigger to the start, so that a burst of writes is one run. Default 20 ms. */
  debounce?: number;
  /** The longest that a start waits for the distance to the start before. Default 500 ms. */
  maxInterval?: number;
  /** A run starts at least this often, for changes that nobody announced. Default 30,000 ms. */
  resyncInterval?: number;
  /** Wait after the first failure; it doubles with each failure in a row. Default 500 ms. */
  retryDelay?: number;
  /** Default 5,000 ms. */
  maxRetryDelay?: number;
  clock?: GateClock;
}

const MAX_REASONS = 32;

/** Runs take at most one part in so many of the time, as long as `maxInterval` allows that. */
const DISTANCE = 5;

/**
 * Turns any pattern of triggers into few runs: one at a time, and after every trigger a run that starts later than the trigger.
 *
 * A run that took d ms is followed by the next start after 5 d, at most `maxInterval`: reading waits only when it is expensive.
 */
export class RegenerationGate {
  private readonly clock: GateClock;
  private readonly debounce: number;
  private readonly maxInterval: number;
  private readonly resyncInterval: number;
  private readonly retryDelay: number;
  private readonly maxRetryDelay: number;

  private readonly abort = new AbortController();
  private reasons = new Set<string>();
  /** When the first trigger came that no run has answered. */
  private dirtySince: number | null = null;
  private lastStart = Number.NEGATIVE_INFINITY;
  private lastDuration = 0;
  private notBefore = Number.NEGATIVE_INFINITY;
  private failures = 0;
  private running: Promise<void> | null = null;
  private resyncing = false;
  private startedAt = 0;
  private cancelRun: () => void = () => undefined;
  private cancelResync: () => void = () => undefined;

  constructor(private readonly options: RegenerationGateOptions) {
    this.clock = options.clock ?? systemClock;
    this.debounce = options.debounce ?? 20;
    this.maxInterval = options.maxInterval ?? 500;
    this.resyncInterval = options.resyncInterval ?? 30_000;
    this.retryDelay = options.retryDelay ?? 500;
    this.maxRetryDelay = options.maxRetryDelay ?? 5_000;
  }

  /** Begins the periodic resync. Triggers work without it. */
  start(): void {
    if (this.resyncing || this.abort.signal.aborted) return;
    this.resyncing = true;
    this.startedAt = this.clock.now();
    this.armResync();
  }

  /** Something may have changed. Returns at once. */
  trigger(reason: string): void {
    if (this.abort.signal.aborted) return;
    if (this.reasons.size < MAX_REASONS) this.reasons.add(reason);
    this.dirtySince ??= this.clock.now();
    // A write that went through says that the database is back.
    this.notBefore = Number.NEGATIVE_INFINITY;
    this.armRun();
  }

  /** Ends everything for good: no timer is left, no run starts. Resolves when the run under way, if any, has ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.cancelRun();
    this.cancelResync();
    await this.running;
  }

  private armRun(): void {
    this.cancelRun();
    if (this.abort.signal.aborted || this.running !== null || this.dirtySince === null) return;
    const distance = Math.min(DISTANCE * this.lastDuration, this.maxInterval);
    const due = Math.max(this.dirtySince + this.debounce, this.lastStart + distance, this.notBefore);
    const wait = due - this.clock.now();
    // Timers may fire a fraction early; then the rest is waited for.
    this.cancelRun = this.clock.setTimer(
      () => (this.clock.now() < due ? this.armRun() : this.begin()),
      Math.max(0, Math.ceil(wait)),
    );
  }

  private armResync(): void {
    this.cancelResync();
    if (!this.resyncing || this.abort.signal.aborted) return;
    const wait = Math.max(this.lastStart, this.startedAt) + this.resyncInterval - this.clock.now();
    this.cancelResync = this.clock.setTimer(() => this.trigger('resync'), Math.max(0, Math.ceil(wait)));
  }

  private begin(): void {
    const reasons = this.reasons;
    // Cleared before the run reads anything: what changes from here on may be missed by it, and needs another.
    this.reasons = new Set();
    this.dirtySince = null;
    this.lastStart = this.clock.now();
    this.cancelResync();
    this.running = this.attempt(reasons).then(() => {
      this.running = null;
      this.lastDuration = this.clock.now() - this.lastStart;
      this.armRun();
      this.armResync();
    });
  }

  private async attempt(reasons: ReadonlySet<string>): Promise<void> {
    try {
      await this.options.run([...reasons], this.abort.signal);
      this.failures = 0;
    } catch (error) {
      if (this.abort.signal.aborted) return;
      const retryIn = Math.min(this.retryDelay * 2 ** Math.min(this.failures, 30), this.maxRetryDelay);
      this.failures += 1;
      // A trigger that came during the run keeps its own, earlier time.
      if (this.dirtySince === null) {
        this.dirtySince = this.clock.now();
        this.notBefore = this.dirtySince + retryIn;
      }
      this.reasons = new Set([...reasons, ...this.reasons].slice(0, MAX_REASONS));
      this.options.onError?.(error, retryIn);
    }
  }
}
