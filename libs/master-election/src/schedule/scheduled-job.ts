import { randomUUID } from 'node:crypto';
import { type Clock, type Lease, systemClock } from '@detector-cluster/election';
import { isInterruption, pause } from '@detector-cluster/election/internal';
import type { Alarm } from './timer-alarm.js';
import {
  type JobProgress,
  JobRunningError,
  JobTimeoutError,
  type MasterTick,
  type SkipReason,
} from './job-progress.js';
import type { JobSchedule } from './job-schedule.js';
import { lastTick } from './last-tick.js';
import { RunLease } from './run-lease.js';
import type { TickRecord } from './tick-record.js';

export interface ScheduledJobOptions {
  /** Unique among the jobs of an election. */
  readonly name: string;
  /** @param begun When the term began, by the clock of the record. */
  readonly scheduleOf: (begun: number) => JobSchedule;
  readonly alarm: Alarm;
  /** Start the last tick that was due while there was no master. */
  readonly catchUp: boolean;
  /** Skip a tick while a run of this process is still in progress. */
  readonly waitForCompletion: boolean;
  /** Skip a tick that is late by more than this. Milliseconds; `undefined` for no limit. */
  readonly threshold: number | undefined;
  /** Abort a run after this time. Milliseconds. */
  readonly timeout: number | undefined;
  readonly ticks: () => TickRecord;
  readonly run: (lease: Lease, tick: MasterTick) => unknown;
  /** A run failed. */
  readonly onFailed: (error: unknown) => void;
  /** The record of ticks is unavailable; the job retries. */
  readonly onUnreachable: (error: unknown) => void;
  readonly onSkipped: (tick: number, reason: SkipReason) => void;
  /** The wall clock of this process is `ahead` ms ahead of that of the record, or behind if negative. The record's clock decides. */
  readonly onClockDiffers: (ahead: number) => void;
  readonly clock?: Clock;
}

interface Start {
  readonly tick: number;
  readonly late: boolean;
  readonly lease: Lease;
  readonly manual?: boolean;
}

interface Failure {
  readonly error: unknown;
}

/** Clocks that differ by at most this count as equal. Milliseconds. */
const AGREEMENT = 1_000;

/** While the clocks differ, the job compares them this often, because one of them may be corrected. Milliseconds. */
const COMPARE_EVERY = 10_000;

/** Upper bound for the delay of an alarm. Milliseconds. */
const ALARM_DELAY = 250;

/** Pause before a retry when the record of ticks is unavailable. Milliseconds. */
const RETRY_PAUSE = 250;

/**
 * Starts the ticks of one job while this process is master: each at most once in the cluster, none under an invalid lease, and no
 * two runs at a time. Does not wait for a run that has timed out.
 */
export class ScheduledJob {
  private readonly clock: Clock;
  private readonly counts = { running: 0, starts: 0, skipped: 0, failures: 0 };
  /** Number of runs in progress that have not timed out; they keep the next run from starting. */
  private awaited = 0;
  private lastTick: number | null = null;
  private nextTick: number | null = null;
  /** How far the clock of this process is ahead of that of the record; 0 when they agree. Milliseconds. */
  private ahead = 0;

  constructor(private readonly options: ScheduledJobOptions) {
    this.clock = options.clock ?? systemClock;
  }

  get progress(): JobProgress {
    return { ...this.counts, lastTick: this.lastTick, nextTick: this.nextTick };
  }

  /** Starts due ticks until the lease is lost or the job is removed. Then resolves, even if runs have not ended. */
  async work(lease: Lease, removed?: AbortSignal): Promise<void> {
    const { scheduleOf, alarm, catchUp } = this.options;
    const signal = removed ? AbortSignal.any([lease.signal, removed]) : lease.signal;
    const wallBegun = this.clock.wallNow();
    const caughtUp = await this.enter(lease);
    const begun = wallBegun - this.ahead;
    const schedule = scheduleOf(begun);
    let handled = catchUp || caughtUp === undefined ? caughtUp : begun;
    while (handled !== undefined && !signal.aborted) {
      const due = schedule.next(handled);
      if (due === Infinity) break;
      const paused = !alarm.active;
      this.nextTick = paused ? null : due;
      const rang = await this.wait(due, lease, signal);
      if (signal.aborted) break;
      const now = this.now();
      if (!alarm.active || (paused && !rang)) {
        // Ticks that were due during the pause are not made up for.
        handled = Math.max(handled, now);
        continue;
      }
      if (due > now) continue;
      // After a blocked event loop or a failover several ticks may be due; only the last one runs.
      const tick = lastTick(schedule, handled, now) ?? due;
      const claimed = await this.claim(tick, schedule, lease, signal);
      if (claimed === 'early') continue;
      if (tick !== due && !paused) this.skip(due, 'overtaken');
      handled = tick;
      if (claimed) void this.start({ tick, late: tick <= begun, lease });
    }
    this.nextTick = null;
  }

  /**
   * Runs the job once outside of its schedule.
   * @throws JobRunningError, or what the run throws
   */
  async runNow(lease: Lease): Promise<void> {
    const { name, waitForCompletion } = this.options;
    if (this.awaited > 0 && waitForCompletion) throw new JobRunningError(name);
    await lease.ready();
    const failure = await this.start({ tick: Math.floor(this.now()), late: false, lease, manual: true });
    if (failure) throw failure.error;
  }

  /** Milliseconds since 1970 by the clock of the record. */
  private now(): number {
    return this.clock.wallNow() - this.ahead;
  }

  /** Compares the clocks. The record read `now` at some moment after `asked`, a time of this process. */
  private compare(asked: number, now: number): void {
    const [ahead, behind] = [asked - now, now - this.clock.wallNow()];
    const differs = Math.max(ahead, behind) > AGREEMENT;
    const difference = differs ? (ahead > 0 ? ahead : -behind) : 0;
    if (differs && this.ahead === 0) this.options.onClockDiffers(difference);
    this.ahead = difference;
  }

  /** Waits until the alarm rings or the clocks must be compared. Returns whether the alarm rang. */
  private async wait(due: number, lease: Lease, signal: AbortSignal): Promise<boolean> {
    const { alarm } = this.options;
    const left = Math.ceil(due - this.now());
    if (left <= 0 && alarm.active) return false;
    const differ = this.ahead !== 0;
    // The alarm follows the clock of this process, but its timer does not advance while the machine sleeps.
    const reserve = differ || left <= ALARM_DELAY ? 0 : ALARM_DELAY;
    const longest = alarm.active ? Math.min(left + reserve, COMPARE_EVERY) : COMPARE_EVERY;
    const rang = await this.sleep(due + this.ahead, longest, signal);
    if (differ && due > this.now()) await this.enter(lease);
    return rang;
  }

  private sleep(due: number, longest: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const wake = (rang: boolean) => {
        this.clock.clearTimeout(timer);
        signal.removeEventListener('abort', lost);
        silence();
        resolve(rang);
      };
      const lost = () => wake(false);
      const timer = this.clock.setTimeout(lost, longest);
      signal.addEventListener('abort', lost);
      const silence = this.options.alarm.expect(due, { rang: () => wake(true), changed: lost });
    });
  }

  /** Compares the clocks. Returns the tick from which to catch up; `undefined` when the lease was lost. */
  private async enter({ signal, term }: Lease): Promise<number | undefined> {
    const { name, ticks, onUnreachable } = this.options;
    while (!signal.aborted) {
      try {
        const asked = this.clock.wallNow();
        const entered = await ticks().enter(name, term);
        if (entered) this.compare(asked, entered.now);
        return entered?.tick;
      } catch (error) {
        if (!signal.aborted) onUnreachable(error);
      }
      await pause(RETRY_PAUSE, this.clock, signal);
    }
    return undefined;
  }

  /**
   * Records the start of a tick, so that no other process can start it. Returns whether it may run; `early` before its time.
   * @param ended aborts when the lease is lost or the job is removed
   */
  private async claim(
    tick: number,
    schedule: JobSchedule,
    lease: Lease,
    ended: AbortSignal,
  ): Promise<boolean | 'early'> {
    const { name, waitForCompletion, threshold = Infinity, ticks, onUnreachable } = this.options;
    const { signal, term } = lease;
    const skip = (reason: SkipReason) => this.skip(tick, reason);
    if (this.awaited > 0 && waitForCompletion) return skip('running');
    if (this.now() - tick > threshold) return skip('delayed');
    const run = randomUUID();
    for (let recorded = false; !recorded;) {
      if (!(await isReady(lease))) return skip('lost');
      if (ended.aborted) return false;
      try {
        const asked = this.clock.wallNow();
        const { outcome, now } = await ticks().start({ job: name, tick, term, run });
        this.compare(asked, now);
        if (outcome === 'early') return 'early';
        if (outcome !== 'started') return skip(outcome === 'deposed' ? 'lost' : 'repeated');
        recorded = true;
      } catch (error) {
        if (signal.aborted) return skip('lost');
        onUnreachable(error);
        await pause(RETRY_PAUSE, this.clock, ended);
        if (this.now() >= schedule.next(tick)) return skip('unrecorded');
      }
    }
    // The lease may have ended before the answer arrived.
    return (await isReady(lease)) || skip('lost');
  }

  /** Resolves when the run has ended or its signal aborts, with its failure if it failed. Never rejects. */
  private start({ tick, late, lease, manual = false }: Start): Promise<Failure | undefined> {
    const { name, timeout, run } = this.options;
    const timedOut = () => new JobTimeoutError(name, timeout!);
    const runLease = new RunLease({ lease, timeout, timedOut, clock: this.clock });
    this.counts.running++;
    this.awaited++;
    this.counts.starts++;
    if (!manual) this.lastTick = tick;
    const ended = this.ended(runLease, async () =>
      run(runLease, { job: name, scheduledAt: tick, late, manual }),
    );
    lease.waitUntil(ended.then(() => undefined));
    const { signal } = runLease;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ error: signal.reason }));
      void ended.then(resolve);
    });
  }

  private async ended(lease: RunLease, run: () => Promise<unknown>): Promise<Failure | undefined> {
    const { signal } = lease;
    let timedOut = false;
    const ended = () => {
      if (!(signal.reason instanceof JobTimeoutError)) return;
      // The run may never settle, so it stops counting as awaited now.
      timedOut = true;
      this.awaited--;
      this.failed(signal.reason);
    };
    signal.addEventListener('abort', ended);
    try {
      await run();
      return undefined;
    } catch (error) {
      if (!isInterruption(error, signal)) this.failed(error);
      return { error };
    } finally {
      this.counts.running--;
      if (!timedOut) this.awaited--;
      lease.end();
    }
  }

  private failed(error: unknown): void {
    this.counts.failures++;
    this.options.onFailed(error);
  }

  private skip(tick: number, reason: SkipReason): false {
    this.counts.skipped++;
    this.options.onSkipped(tick, reason);
    return false;
  }
}

async function isReady(lease: Lease): Promise<boolean> {
  try {
    await lease.ready();
    return true;
  } catch {
    return false;
  }
}
