import { VirtualClock } from '@detector-cluster/election/testing';
import type { Lease } from '@detector-cluster/election';
import { FakeTickRecord } from '../testing/fake-tick-record.js';
import type { MasterTick } from './job-progress.js';
import { everyPeriod } from './job-schedule.js';
import { ScheduledJob, type ScheduledJobOptions } from './scheduled-job.js';
import type { Alarm } from './timer-alarm.js';

export const MINUTE = 60_000;

/** Lets pending promises run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export const endless = () => new Promise<void>(() => undefined);

/** Jobs in virtual time, and what they report. */
export class JobWorld {
  readonly clock = new VirtualClock(0);
  readonly start = Math.ceil(this.clock.wallNow() / MINUTE) * MINUTE;
  record: FakeTickRecord;
  ticks: MasterTick[] = [];
  readonly skipped: string[] = [];
  readonly failures: unknown[] = [];
  readonly unreachable: unknown[] = [];
  readonly differences: number[] = [];
  /** Follows the clock of the process, as timers of Node do. */
  readonly alarm: Alarm = {
    active: true,
    expect: (due, { rang }) => {
      const timer = this.clock.setTimeout(rang, due - this.clock.wallNow());
      return () => this.clock.clearTimeout(timer);
    },
  };

  constructor() {
    this.clock.advance(this.start - this.clock.wallNow());
    this.record = new FakeTickRecord(this.clock);
  }

  /** Minutes since `start`. */
  minute(at: number): number {
    return Math.round((at - this.start) / MINUTE);
  }

  jobOf(options: Partial<ScheduledJobOptions> = {}): ScheduledJob {
    return new ScheduledJob({
      name: 'job',
      scheduleOf: () => everyPeriod(MINUTE),
      alarm: this.alarm,
      catchUp: false,
      waitForCompletion: true,
      threshold: undefined,
      timeout: undefined,
      ticks: () => this.record,
      run: (_lease: Lease, tick: MasterTick) => void this.ticks.push(tick),
      onFailed: (error) => this.failures.push(error),
      onUnreachable: (error) => this.unreachable.push(error),
      onSkipped: (tick, reason) => this.skipped.push(`${this.minute(tick)} ${reason}`),
      onClockDiffers: (ahead) => this.differences.push(ahead),
      clock: this.clock,
      ...options,
    });
  }

  async advance(duration: number): Promise<void> {
    await settle();
    for (let left = duration; left > 0; left -= 5_000) {
      this.clock.advance(Math.min(5_000, left));
      await settle();
    }
  }

  started(): string[] {
    return this.ticks.map(({ scheduledAt, late }) => `${this.minute(scheduledAt)}${late ? ' late' : ''}`);
  }
}
