import { doubling } from '@detector-cluster/election/internal';
import { pollInterval } from '../util/intervals.js';
import { mergeRows, type ChangedRows } from '../desired/changed-rows.js';

export interface RegenerationGateOptions {
  /**
   * Reads the desired state. `reasons` are the distinct reasons of the triggers that it answers. `rows` are all rows that have
   * changed; null: any. `signal` aborts on stop. If it rejects, the gate reports the error and repeats the run for all rows.
   */
  run(reasons: readonly string[], rows: ChangedRows | null, signal: AbortSignal): Promise<void>;
  /** A run failed; the gate repeats it in `retryIn` ms, or sooner if a trigger comes. Must not throw. */
  onError?(error: unknown, retryIn: number): void;
  /** Delay from the first trigger to the start, so that a burst of writes causes one run. Default 20 ms. */
  debounce?: number;
  /** Maximum distance that a start keeps from the previous start. Default 500 ms. */
  maxInterval?: number;
  /**
   * Interval of runs for all rows, which find changes that were not announced; for long runs see {@link pollInterval}. Default
   * 30,000 ms.
   */
  resyncInterval?: number;
  /** Delay after the first failure; it doubles with each consecutive failure. Default 500 ms. */
  retryDelay?: number;
  /** Default 5,000 ms. */
  maxRetryDelay?: number;
  clock?: GateClock;
}

const MAX_REASONS = 32;

/** Runs take at most this fraction (1/n) of the time, if `maxInterval` allows it. */
const DISTANCE = 5;

/**
 * Turns any pattern of triggers into few runs, one at a time. After every trigger a run starts later than the trigger.
 *
 * After a run of d ms the next one starts 5 d after its start, at most `maxInterval`: reading waits only when it is expensive.
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
  private rows: ChangedRows | null = {};
  /** Time of the first trigger that no run has answered. */
  private dirtySince: number | null = null;
  /** The last run for some rows, and the last run for all rows: their costs are unrelated. */
  private readonly last = {
    some: { start: Number.NEGATIVE_INFINITY, duration: 0 },
    all: { start: Number.NEGATIVE_INFINITY, duration: 0 },
  };
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

  /**
   * Something may have changed. Returns at once.
   * @param rows all rows that have changed; null: any
   */
  trigger(reason: string, rows: ChangedRows | null = null): void {
    if (this.abort.signal.aborted) return;
    this.rows = mergeRows(this.rows, rows);
    if (this.reasons.size < MAX_REASONS) this.reasons.add(reason);
    this.dirtySince ??= this.clock.now();
    // A successful write shows that the database is available again.
    this.notBefore = Number.NEGATIVE_INFINITY;
    this.armRun();
  }

  /** Stops permanently: clears the timers and starts no run. Resolves when the current run, if any, has ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.cancelRun();
    this.cancelResync();
    await this.running;
  }

  private armRun(): void {
    this.cancelRun();
    if (this.abort.signal.aborted || this.running !== null || this.dirtySince === null) return;
    const { start, duration } = this.lastOf(this.rows);
    const distance = Math.min(DISTANCE * duration, this.maxInterval);
    const due = Math.max(this.dirtySince + this.debounce, start + distance, this.notBefore);
    const wait = due - this.clock.now();
    // Timers may fire slightly early; then the gate waits for the rest.
    this.cancelRun = this.clock.setTimer(
      () => (this.clock.now() < due ? this.armRun() : this.begin()),
      Math.max(0, Math.ceil(wait)),
    );
  }

  private lastOf(rows: ChangedRows | null) {
    return this.last[rows === null ? 'all' : 'some'];
  }

  private armResync(): void {
    this.cancelResync();
    if (!this.resyncing || this.abort.signal.aborted) return;
    const { start, duration } = this.last.all;
    const wait =
      Math.max(start, this.startedAt) + pollInterval(this.resyncInterval, duration) - this.clock.now();
    this.cancelResync = this.clock.setTimer(() => this.trigger('resync'), Math.max(0, Math.ceil(wait)));
  }

  private begin(): void {
    const { reasons, rows } = this;
    // Cleared before the run reads anything: the run may miss later changes, which then need another run.
    this.reasons = new Set();
    this.rows = {};
    this.dirtySince = null;
    const last = this.lastOf(rows);
    last.start = this.clock.now();
    this.cancelResync();
    this.running = this.attempt(reasons, rows).then(() => {
      this.running = null;
      last.duration = this.clock.now() - last.start;
      this.armRun();
      this.armResync();
    });
  }

  private async attempt(reasons: ReadonlySet<string>, rows: ChangedRows | null): Promise<void> {
    try {
      await this.options.run([...reasons], rows, this.abort.signal);
      this.failures = 0;
    } catch (error) {
      if (this.abort.signal.aborted) return;
      const retryIn = doubling(this.retryDelay, this.failures, this.maxRetryDelay);
      this.failures += 1;
      this.rows = null;
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

/** The clock of the gate; tests replace it to be exact. */
export interface GateClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls back once after `delay` ms; the returned function cancels it. */
  setTimer(callback: () => void, delay: number): () => void;
}

const systemClock: GateClock = {
  now: () => performance.now(),
  setTimer(callback, delay) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};
