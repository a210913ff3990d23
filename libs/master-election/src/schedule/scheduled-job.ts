import { randomUUID } from 'node:crypto';
import { systemClock, type Clock, type Lease } from '@detector-cluster/election';
import type { JobProgress } from './job-progress.js';
import { JobTimeoutError } from './job-timeout.error.js';
import { lastTick } from './last-tick.js';
import type { MasterTick } from './master-tick.js';
import { isInterruption } from '../util/is-interruption.js';
import { pause } from '../util/pause.js';
import { RunLease } from './run-lease.js';
import type { Schedule } from './schedule.js';
import type { SkipReason } from './skip-reason.js';
import type { TickRecord } from './tick-record.js';

export interface ScheduledJobOptions {
  /** Unique among the jobs of an election. */
  readonly name: string;
  readonly schedule: Schedule;
  /** Start the last tick that was due while nobody was master. */
  readonly catchUp: boolean;
  /** Start a tick although a run of this process is still going on. */
  readonly overlap: boolean;
  /** Abort a run after this time. Milliseconds. */
  readonly timeout: number | undefined;
  readonly ticks: () => TickRecord;
  readonly run: (lease: Lease, tick: MasterTick) => unknown;
  /** A run failed. */
  readonly onFailed: (error: unknown) => void;
  /** The record of ticks cannot be reached; it is asked again. */
  readonly onUnreachable: (error: unknown) => void;
  readonly onSkipped: (tick: number, reason: SkipReason) => void;
  /** The wall clock of this process is `ahead` ms ahead of the record's, negative for behind, which decides. */
  readonly onClockDiffers: (ahead: number) => void;
  readonly clock?: Clock;
}

/** Clocks that differ by less are taken to agree. Milliseconds. */
const AGREEMENT = 1_000;

/** While the clocks differ, they are compared this often: one of them may be set. Milliseconds. */
const COMPARE_EVERY = 10_000;

/** Pause before the record of ticks is asked again after an error. Milliseconds. */
const RETRY_PAUSE = 250;

/**
 * Starts the ticks of one job while this process is master: each at most once in the cluster, none under a lease that is
 * not valid, and no two runs at a time. A run that has timed out is not waited for.
 */
export class ScheduledJob {
  private readonly clock: Clock;
  private readonly counts = { running: 0, starts: 0, skipped: 0, failures: 0 };
  /** Runs that keep the next one from starting: those that go on, and have not timed out. */
  private awaited = 0;
  private lastTick: number | null = null;
  private nextTick: number | null = null;
  /** By how much the clock of this process is ahead of the record's; 0 when they agree. */
  private ahead = 0;

  constructor(private readonly options: ScheduledJobOptions) {
    this.clock = options.clock ?? systemClock;
  }

  get progress(): JobProgress {
    return { ...this.counts, lastTick: this.lastTick, nextTick: this.nextTick };
  }

  /** Starts what is due until the lease is lost, and resolves then, whether or not runs have ended. */
  async work(lease: Lease): Promise<void> {
    const { schedule, catchUp } = this.options;
    const { signal } = lease;
    const wallBegun = this.clock.wallNow();
    const caughtUp = await this.enter(lease);
    const begun = wallBegun - this.ahead;
    let handled = catchUp || caughtUp === undefined ? caughtUp : begun;
    while (handled !== undefined && !signal.aborted) {
      const due = schedule.next(handled);
      this.nextTick = due;
      await this.sleepUntil(due, lease);
      if (signal.aborted) break;
      // After a blocked event loop or a failover several may be due: only the last one is worth a run.
      const tick = lastTick(schedule, handled, this.now()) ?? due;
      const claimed = await this.claim(tick, lease);
      if (claimed === 'early') continue;
      if (tick !== due) this.skip(due, 'overtaken');
      handled = tick;
      if (claimed) this.start({ tick, late: tick <= begun, lease });
    }
    this.nextTick = null;
  }

  /** Milliseconds since 1970 by the clock of the record. */
  private now(): number {
    return this.clock.wallNow() - this.ahead;
  }

  /** The record has said what time it was, at some moment since `asked`. */
  private compare(asked: number, now: number): void {
    const [ahead, behind] = [asked - now, now - this.clock.wallNow()];
    const differs = Math.max(ahead, behind) > AGREEMENT;
    const difference = differs ? (ahead > 0 ? ahead : -behind) : 0;
    if (differs && this.ahead === 0) this.options.onClockDiffers(difference);
    this.ahead = difference;
  }

  private async sleepUntil(due: number, lease: Lease): Promise<void> {
    const { signal } = lease;
    for (let left = due - this.now(); left > 0 && !signal.aborted; left = due - this.now()) {
      await pause(this.clock, Math.min(Math.ceil(left), COMPARE_EVERY), signal);
      if (this.ahead !== 0 && due > this.now()) await this.enter(lease);
    }
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
      await pause(this.clock, RETRY_PAUSE, signal);
    }
    return undefined;
  }

  /** Whether a run may be started for a tick, which no other process can from now on; `early` when it is not yet time. */
  private async claim(tick: number, lease: Lease): Promise<boolean | 'early'> {
    const { name, schedule, overlap, ticks, onUnreachable } = this.options;
    const { signal, term } = lease;
    const skip = (reason: SkipReason) => this.skip(tick, reason);
    if (this.awaited > 0 && !overlap) return skip('running');
    const run = randomUUID();
    for (let recorded = false; !recorded;) {
      if (!(await isReady(lease))) return skip('lost');
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
        await pause(this.clock, RETRY_PAUSE, signal);
        if (this.now() >= schedule.next(tick)) return skip('unrecorded');
      }
    }
    // The answer may have come after the lease had ended.
    return (await isReady(lease)) || skip('lost');
  }

  private start({ tick, late, lease }: { tick: number; late: boolean; lease: Lease }): void {
    const { name, timeout, run } = this.options;
    const timedOut = () => new JobTimeoutError(name, timeout!);
    const runLease = new RunLease({ lease, timeout, timedOut, clock: this.clock });
    this.counts.running++;
    this.awaited++;
    this.counts.starts++;
    this.lastTick = tick;
    const ended = this.ended(runLease, async () => run(runLease, { job: name, scheduledAt: tick, late }));
    lease.waitUntil(ended);
  }

  private async ended(lease: RunLease, run: () => Promise<unknown>): Promise<void> {
    const { signal } = lease;
    let timedOut = false;
    const ended = () => {
      if (!(signal.reason instanceof JobTimeoutError)) return;
      // It may never settle.
      timedOut = true;
      this.awaited--;
      this.failed(signal.reason);
    };
    signal.addEventListener('abort', ended);
    try {
      await run();
    } catch (error) {
      if (!isInterruption(error, signal)) this.failed(error);
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
