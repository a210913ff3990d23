import { systemClock, type Clock } from '@detector-cluster/election';
import { doubling, Repeater } from '@detector-cluster/election/internal';
import { pollInterval } from '../shared/intervals.js';
import { mergeRows, type ChangedRows } from '../sources/changed-rows.js';

export interface RegenerationGateOptions {
  /**
   * Reads the desired state. `reasons` are the distinct reasons of the triggers that it answers. `rows` are all rows that have
   * changed; null: any. `signal` aborts on stop. If it rejects, the gate reports the error and repeats the run for all rows. A run for
   * all rows may call `admit`: from then on, runs for some rows may begin before it ends.
   */
  run(
    reasons: readonly string[],
    rows: ChangedRows | null,
    signal: AbortSignal,
    admit: () => void,
  ): Promise<void>;
  /** A run failed; the gate repeats it in `retryIn` ms, or sooner if a trigger comes. Must not throw. */
  onError?(error: unknown, retryIn: number): void;
  /**
   * Interval of runs for all rows, which find changes that were not announced; for long runs see {@link pollInterval}. Milliseconds.
   */
  resyncInterval: number;
  /** Sets the timer of the next resync. Returns a function that cancels it. */
  setResync(callback: () => void, delay: number): () => void;
  /** Default: the system's. */
  clock?: Clock;
}

const MAX_REASONS = 32;

/** Delay after the first failure; it doubles with each consecutive failure. Milliseconds. */
const RETRY_DELAY = 500;
const MAX_RETRY_DELAY = 5_000;

/**
 * A run for all rows answers the triggers that name rows, too, as long as the previous one took less than this. Otherwise these do not wait
 * for it. Milliseconds.
 */
const QUICK = 100;

/** The runs of a kind take at most this fraction (1/n) of the time, unless they take longer than {@link MAX_DISTANCE} allows. */
const DISTANCE = 5;

/** Maximum distance from the start of a run to the start of the next one. Milliseconds. */
const MAX_DISTANCE = 500;

interface Pace {
  /** Delay from the first trigger to the start, so that a burst of writes causes one run; for rows the pace is enough. Milliseconds. */
  readonly debounce: number;
  /** How much reading may be saved up while there is none. Milliseconds. */
  readonly savings: number;
}

/** Runs of one kind, one at a time: a token bucket of reading time (the GCRA of ATM networks). */
class Lane {
  reasons = new Set<string>();
  /** Time of the first trigger that no run has answered. */
  since: number | null = null;
  /** Of the last run. */
  start = Number.NEGATIVE_INFINITY;
  duration = 0;
  /** Of the run before. */
  durationBefore = 0;
  running: Promise<void> | null = null;
  /** When the next run would start if nothing were saved up. */
  private next = Number.NEGATIVE_INFINITY;

  constructor(private readonly pace: Pace) {}

  /** When the next run is due; infinite if none is. */
  get due(): number {
    if (this.since === null || this.running !== null) return Number.POSITIVE_INFINITY;
    return Math.max(this.since + this.pace.debounce, this.next - DISTANCE * this.pace.savings);
  }

  end(at: number): void {
    this.running = null;
    this.durationBefore = this.duration;
    this.duration = at - this.start;
    this.next = Math.max(this.start, this.next) + Math.min(DISTANCE * this.duration, MAX_DISTANCE);
  }

  note(reasons: Iterable<string>, at: number): void {
    this.since ??= at;
    for (const reason of reasons) if (this.reasons.size < MAX_REASONS) this.reasons.add(reason);
  }

  /** Returns the reasons. Later ones need another run, because the run that begins now may miss their changes. */
  clear(): Set<string> {
    const { reasons } = this;
    this.reasons = new Set();
    this.since = null;
    return reasons;
  }
}

/**
 * Turns any pattern of triggers into few runs. After every trigger a run starts later than the trigger.
 *
 * After a run of d ms for all rows the next one starts 5 d after its start, at most 500 ms: reading waits only when it is expensive.
 * Runs for some rows keep this distance on average, so that a change does not wait for the one before it. One of them may begin during
 * a run for all rows that admits it; otherwise runs do not overlap.
 */
export class RegenerationGate {
  private readonly clock: Clock;
  private readonly abort = new AbortController();
  private readonly alarm: Repeater;
  private readonly all = new Lane({ debounce: 20, savings: 0 });
  private readonly some = new Lane({ debounce: 0, savings: 60 });
  /** Of the triggers of `some`. */
  private rows: ChangedRows = {};
  /** Whether the present run for all rows lets runs for some rows begin. */
  private admitted = false;
  private notBefore = Number.NEGATIVE_INFINITY;
  private failures = 0;
  private resyncing = false;
  private startedAt = 0;
  private cancelResync: () => void = () => undefined;

  constructor(private readonly options: RegenerationGateOptions) {
    this.clock = options.clock ?? systemClock;
    this.alarm = new Repeater({
      clock: this.clock,
      signal: this.abort.signal,
      run: async () => this.beginDue(),
    });
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
    const merged = rows === null ? null : mergeRows(this.rows, rows);
    if (merged !== null) {
      this.rows = merged;
      this.some.note([reason], this.clock.now());
    } else {
      if (rows !== null) this.moveToAll();
      this.all.note([reason], this.clock.now());
    }
    // A successful write shows that the database is available again.
    this.notBefore = Number.NEGATIVE_INFINITY;
    this.arm();
  }

  /** Stops permanently: clears the timers and starts no run. Resolves when the current runs, if any, have ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.cancelResync();
    await Promise.all([this.all.running, this.some.running]);
  }

  /** The next run for all rows answers the triggers that name rows, too. */
  private moveToAll(): void {
    const { since } = this.some;
    const reasons = this.some.clear();
    this.rows = {};
    if (since === null) return;
    this.all.note(reasons, since);
    this.all.since = Math.min(this.all.since!, since);
  }

  /** Has the next run begin when it is due. */
  private arm(): void {
    const { all, some } = this.dueTimes();
    this.alarm.poke(Math.min(all, some) - this.clock.now());
  }

  private beginDue(): void {
    const { all, some } = this.dueTimes();
    const now = this.clock.now();
    if (some <= now) this.begin(this.some);
    else if (all <= now) this.begin(this.all);
    this.arm();
  }

  private dueTimes(): { readonly all: number; readonly some: number } {
    const { all, some } = this;
    const readsAllSoon = all.since !== null && all.running === null;
    if (readsAllSoon && (all.duration < QUICK || this.failures > 0)) this.moveToAll();
    const allowed = { all: some.running === null, some: all.running === null || this.admitted };
    return {
      all: allowed.all ? Math.max(all.due, this.notBefore) : Number.POSITIVE_INFINITY,
      some: allowed.some ? Math.max(some.due, this.notBefore) : Number.POSITIVE_INFINITY,
    };
  }

  private armResync(): void {
    this.cancelResync();
    if (!this.resyncing || this.abort.signal.aborted) return;
    const { start, duration, durationBefore } = this.all;
    const wait =
      Math.max(start, this.startedAt) +
      pollInterval(this.options.resyncInterval, [durationBefore, duration]) -
      this.clock.now();
    this.cancelResync = this.options.setResync(() => this.trigger('resync'), Math.max(0, Math.ceil(wait)));
  }

  private begin(lane: Lane): void {
    const rows = lane === this.all ? null : this.rows;
    const reasons = lane.clear();
    if (rows === null) this.admitted = false;
    else this.rows = {};
    lane.start = this.clock.now();
    if (rows === null) this.cancelResync();
    lane.running = this.attempt(reasons, rows).then(() => {
      lane.end(this.clock.now());
      this.arm();
      if (this.all.running === null) this.armResync();
    });
  }

  private admit(): void {
    this.admitted = true;
    this.arm();
  }

  private async attempt(reasons: ReadonlySet<string>, rows: ChangedRows | null): Promise<void> {
    try {
      await this.options.run([...reasons], rows, this.abort.signal, () => this.admit());
      this.failures = 0;
    } catch (error) {
      if (this.abort.signal.aborted) return;
      const retryIn = doubling(RETRY_DELAY, this.failures, MAX_RETRY_DELAY);
      this.failures += 1;
      const { all } = this;
      // A trigger that came during the run keeps its own, earlier time.
      if (all.since === null && this.some.since === null) this.notBefore = this.clock.now() + retryIn;
      const since = all.since ?? this.clock.now();
      all.note([...reasons, ...all.clear()], since);
      this.options.onError?.(error, retryIn);
    }
  }
}
