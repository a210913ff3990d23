import { VirtualClock } from '@detector-cluster/election/testing';
import type { Lease } from '@detector-cluster/election';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestLease } from '../test-support/test-lease.js';
import { FakeTickRecord } from '../testing/fake-cluster.js';
import type { Alarm, Sleeper } from './timer-alarm.js';
import { IntervalSchedule, OneTimeSchedule } from './job-schedule.js';
import { JobRunningError, JobTimeoutError, type MasterTick } from './job-progress.js';
import { ScheduledJob, type ScheduledJobOptions } from './scheduled-job.js';

const MINUTE = 60_000;

/** Lets pending promises run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const endless = () => new Promise<void>(() => undefined);

const stoppable = (of: VirtualClock) => {
  const sleepers = new Set<Sleeper>();
  return {
    active: true,
    expect(due: number, sleeper: Sleeper) {
      sleepers.add(sleeper);
      const timer = of.setTimeout(() => this.active && sleeper.rang(), due - of.wallNow());
      return () => {
        sleepers.delete(sleeper);
        of.clearTimeout(timer);
      };
    },
    set(active: boolean) {
      this.active = active;
      for (const { changed } of sleepers) changed();
    },
  };
};

describe('ScheduledJob', () => {
  let clock: VirtualClock;
  let record: FakeTickRecord;
  let ticks: MasterTick[];
  let skipped: string[];
  let failures: unknown[];
  let unreachable: unknown[];
  let differences: number[];

  /** Minutes since `start`. */
  const minute = (at: number) => Math.round((at - start) / MINUTE);
  let start: number;

  beforeEach(() => {
    clock = new VirtualClock(0);
    start = Math.ceil(clock.wallNow() / MINUTE) * MINUTE;
    clock.advance(start - clock.wallNow());
    record = new FakeTickRecord(clock);
    [ticks, skipped, failures, unreachable, differences] = [[], [], [], [], []];
  });

  /** Follows the clock of the process, as timers of Node do. */
  const alarm: Alarm = {
    active: true,
    expect: (due, { rang }) => {
      const timer = clock.setTimeout(rang, due - clock.wallNow());
      return () => clock.clearTimeout(timer);
    },
  };

  const jobOf = (options: Partial<ScheduledJobOptions> = {}) =>
    new ScheduledJob({
      name: 'job',
      scheduleOf: () => new IntervalSchedule(MINUTE),
      alarm,
      catchUp: false,
      waitForCompletion: true,
      threshold: undefined,
      timeout: undefined,
      ticks: () => record,
      run: (_lease: Lease, tick: MasterTick) => void ticks.push(tick),
      onFailed: (error) => failures.push(error),
      onUnreachable: (error) => unreachable.push(error),
      onSkipped: (tick, reason) => skipped.push(`${minute(tick)} ${reason}`),
      onClockDiffers: (ahead) => differences.push(ahead),
      clock,
      ...options,
    });

  const advance = async (duration: number) => {
    await settle();
    for (let left = duration; left > 0; left -= 5_000) {
      clock.advance(Math.min(5_000, left));
      await settle();
    }
  };
  const started = () => ticks.map(({ scheduledAt, late }) => `${minute(scheduledAt)}${late ? ' late' : ''}`);

  it('starts each tick at its time while the lease lasts, and leaves no timer behind', async () => {
    const job = jobOf();
    const lease = new TestLease(1);
    const working = job.work(lease);
    await advance(MINUTE - 1);
    expect(started()).toEqual([]);
    expect(job.progress).toMatchObject({ nextTick: start + MINUTE, lastTick: null });
    await advance(1 + 2 * MINUTE);
    expect(started()).toEqual(['1', '2', '3']);
    lease.lose();
    await working;
    await advance(5 * MINUTE);
    expect(started()).toHaveLength(3);
    expect(clock.pending).toBe(0);
    expect(job.progress).toEqual({
      running: 0,
      starts: 3,
      skipped: 0,
      failures: 0,
      lastTick: start + 3 * MINUTE,
      nextTick: null,
    });
  });

  it('starts a tick in one process only, even when two believe they are master', async () => {
    const leases = [new TestLease(1), new TestLease(2)];
    const jobs = leases.map((lease) => ({ job: jobOf(), lease }));
    for (const { job, lease } of jobs) void job.work(lease);
    await advance(3 * MINUTE);
    expect(started()).toEqual(['1', '2', '3']);
    expect(skipped.length).toBe(3);
    for (const lease of leases) lease.lose();
  });

  it('skips ticks that were due while there was no master', async () => {
    const first = new TestLease(1);
    void jobOf().work(first);
    await advance(MINUTE);
    first.lose();
    await advance(2 * MINUTE + 10);
    void jobOf().work(new TestLease(2));
    await advance(MINUTE);
    expect(started()).toEqual(['1', '4']);
  });

  it('catches up with only the last tick that was due while there was no master', async () => {
    const first = new TestLease(1);
    void jobOf({ catchUp: true }).work(first);
    await advance(MINUTE);
    first.lose();
    await advance(2 * MINUTE + 10);
    const second = new TestLease(2);
    void jobOf({ catchUp: true }).work(second);
    await advance(MINUTE);
    second.lose();
    void jobOf({ catchUp: true }).work(new TestLease(3));
    await advance(MINUTE);
    expect(started()).toEqual(['1', '3 late', '4', '5']);
  });

  it('does not catch up on a job that no process has run before', async () => {
    void jobOf({ catchUp: true }).work(new TestLease(1));
    await advance(10);
    expect(started()).toEqual([]);
    const later = new TestLease(2);
    await advance(MINUTE - 20);
    void jobOf({ catchUp: true, name: 'other' }).work(later);
    await advance(10 + MINUTE);
    expect(started()).toEqual(['1', '1', '2', '2']);
  });

  it('starts only the last of the ticks that were due while the process was frozen', async () => {
    void jobOf().work(new TestLease(1));
    await settle();
    clock.freeze(3.5 * MINUTE);
    await advance(1);
    expect(started()).toEqual(['3']);
    expect(skipped).toEqual(['1 overtaken']);
    await advance(MINUTE);
    expect(started()).toEqual(['3', '4']);
  });

  it('follows changes of the wall clock', async () => {
    void jobOf().work(new TestLease(1));
    await settle();
    clock.stepWall(30_000);
    await advance(29_000);
    expect(started()).toEqual([]);
    await advance(1_000);
    expect(started()).toEqual(['1']);
    clock.stepWall(-10 * MINUTE);
    await advance(11 * MINUTE);
    expect(started()).toEqual(['1', '2']);
  });

  describe('when the clock of its process differs from the clock of the record', () => {
    /** How far the clock of the process is ahead. Milliseconds. */
    let ahead: number;
    const recordOf = () => new FakeTickRecord({ wallNow: () => clock.wallNow() - ahead });

    it.each([60, 7, -7])('starts each tick at the time of the record, %i minutes ahead', async (minutes) => {
      ahead = minutes * MINUTE;
      record = recordOf();
      const first = minute(clock.wallNow() - ahead) + 1;
      void jobOf({ ticks: () => record }).work(new TestLease(1));
      await advance(3 * MINUTE);
      expect(started()).toEqual([0, 1, 2].map((n) => String(first + n)));
      expect(differences).toEqual([ahead]);
    });

    it('does not prevent a successor with the right clock from starting ticks', async () => {
      ahead = 0;
      record = recordOf();
      const fast = new TestLease(1);
      void jobOf({ ticks: () => record }).work(fast);
      await advance(MINUTE);
      // The clock of the master becomes wrong during its term.
      ahead = 60 * MINUTE;
      clock.stepWall(ahead);
      await advance(2 * MINUTE);
      fast.lose();
      clock.stepWall(-ahead);
      ahead = 0;
      void jobOf({ ticks: () => record }).work(new TestLease(2));
      await advance(2 * MINUTE);
      expect(started()).toEqual(['1', '2', '3', '4', '5']);
    });

    it('continues within seconds after the clock of its process is corrected', async () => {
      ahead = 60 * MINUTE;
      record = recordOf();
      const first = minute(clock.wallNow() - ahead) + 1;
      void jobOf({ ticks: () => record }).work(new TestLease(1));
      await advance(MINUTE);
      clock.stepWall(-ahead);
      ahead = 0;
      await advance(2 * MINUTE);
      expect(started()).toEqual([0, 1, 2].map((n) => String(first + n)));
    });
  });

  it('delays a tick until the lease is valid again', async () => {
    const lease = new TestLease(1);
    void jobOf().work(lease);
    lease.suspend();
    await advance(MINUTE + 5_000);
    expect(started()).toEqual([]);
    lease.resume();
    await advance(1);
    expect(started()).toEqual(['1']);
    lease.suspend();
    await advance(MINUTE);
    lease.lose();
    await settle();
    expect(started()).toEqual(['1']);
    expect(skipped).toEqual(['2 lost']);
  });

  it('starts no run if the lease is lost while the start is recorded', async () => {
    const lease = new TestLease(1);
    const slow = new FakeTickRecord(clock);
    const start = slow.start.bind(slow);
    slow.start = async (claim) => {
      const outcome = await start(claim);
      lease.lose();
      return outcome;
    };
    await Promise.all([jobOf({ ticks: () => slow }).work(lease), advance(MINUTE)]);
    expect(started()).toEqual([]);
    expect(skipped).toEqual(['1 lost']);
  });

  it('does not overlap runs, unless configured to', async () => {
    const ends: (() => void)[] = [];
    const run = (_lease: Lease, tick: MasterTick) => {
      ticks.push(tick);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const job = jobOf({ run });
    void job.work(new TestLease(1));
    await advance(3 * MINUTE);
    expect(started()).toEqual(['1']);
    expect(skipped).toEqual(['2 running', '3 running']);
    expect(job.progress.running).toBe(1);
    ends.shift()!();
    await advance(MINUTE);
    expect(started()).toEqual(['1', '4']);

    ticks = [];
    void jobOf({ run, waitForCompletion: false, name: 'overlapping' }).work(new TestLease(1));
    await advance(2 * MINUTE);
    expect(started()).toEqual(['5', '6']);
  });

  it('does not overlap runs across terms either', async () => {
    const job = jobOf({
      run: (_lease, tick) => {
        ticks.push(tick);
        return new Promise(() => undefined);
      },
    });
    const first = new TestLease(1);
    void job.work(first);
    await advance(MINUTE);
    first.lose();
    void job.work(new TestLease(2));
    await advance(MINUTE);
    expect(started()).toEqual(['1']);
  });

  it('delays a hand-over until runs end, and aborts them on loss', async () => {
    const lease = new TestLease(1);
    let seen: Lease | undefined;
    void jobOf({
      run: (given) => {
        seen = given;
        return new Promise((_resolve, reject) =>
          given.signal.addEventListener('abort', () => reject(given.signal.reason as Error)),
        );
      },
    }).work(lease);
    await advance(MINUTE);
    expect(seen!.isValid()).toBe(true);
    expect(seen!.term).toBe(1);
    lease.suspend();
    expect(seen!.isValid()).toBe(false);
    lease.lose();
    expect(seen!.signal.aborted).toBe(true);
    expect(lease.work).toHaveLength(1);
    await expect(lease.work[0]).resolves.toBeUndefined();
    expect(failures).toEqual([]);
  });

  it('aborts a run that takes too long, and continues', async () => {
    const job = jobOf({
      timeout: 10_000,
      run: async ({ signal }, tick) => {
        ticks.push(tick);
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    void job.work(new TestLease(1));
    await advance(2 * MINUTE + 10_000);
    expect(started()).toEqual(['1', '2']);
    expect(failures).toEqual([expect.any(JobTimeoutError), expect.any(JobTimeoutError)]);
    expect(job.progress).toMatchObject({ failures: 2, running: 0 });
    expect((failures[0] as JobTimeoutError).message).toBe(
      "a run of job 'job' took longer than 10000 ms: its signal is aborted, and further runs do not wait for it",
    );
  });

  it('does not wait for a run that never settles, once it has timed out', async () => {
    const job = jobOf({
      timeout: 90_000,
      run: (_lease, tick) => {
        ticks.push(tick);
        return new Promise(() => undefined);
      },
    });
    const lease = new TestLease(1);
    void job.work(lease);
    await advance(5 * MINUTE);
    expect(started()).toEqual(['1', '3', '5']);
    expect(skipped).toEqual(['2 running', '4 running']);
    expect(failures).toEqual([expect.any(JobTimeoutError), expect.any(JobTimeoutError)]);
    expect(job.progress).toMatchObject({ running: 3, failures: 2 });
    lease.lose();
  });

  it('reports a run that throws or rejects, and continues', async () => {
    void jobOf({
      run: (_lease, tick) => {
        ticks.push(tick);
        throw new Error('broken');
      },
    }).work(new TestLease(1));
    await advance(2 * MINUTE);
    expect(started()).toEqual(['1', '2']);
    expect(failures).toEqual([new Error('broken'), new Error('broken')]);
  });

  it('retries while the record is unavailable, until the next tick is due', async () => {
    const flaky = new FakeTickRecord(clock);
    const start = flaky.start.bind(flaky);
    let away = true;
    let applied = 0;
    flaky.start = async (claim) => {
      const outcome = await start(claim);
      applied++;
      if (away) throw new Error('the reply was lost');
      return outcome;
    };
    void jobOf({ ticks: () => flaky }).work(new TestLease(1));
    await advance(MINUTE + 20_000);
    expect(started()).toEqual([]);
    away = false;
    await advance(1_000);
    expect(started()).toEqual(['1']);
    expect(applied).toBeGreaterThan(2);
    expect(unreachable.length).toBe(applied - 1);
    away = true;
    await advance(2 * MINUTE);
    away = false;
    await advance(MINUTE);
    expect(started()).toEqual(['1', '3', '4']);
    expect(skipped).toEqual(['2 unrecorded']);
  });

  it('catches up as soon as the record is available', async () => {
    await record.enter('job', 1);
    const enter = record.enter.bind(record);
    let away = true;
    record.enter = (job, term) => (away ? Promise.reject(new Error('away')) : enter(job, term));
    await advance(1.5 * MINUTE);
    void jobOf({ catchUp: true }).work(new TestLease(2));
    await advance(MINUTE);
    expect(started()).toEqual([]);
    away = false;
    await advance(1_000);
    expect(started()).toEqual(['2']);
    expect(unreachable.length).toBeGreaterThan(1);
  });

  describe('when its alarm is stopped', () => {
    it('starts no tick until it is restarted, and skips those that were due in between', async () => {
      const stopped = stoppable(clock);
      const job = jobOf({ alarm: stopped });
      void job.work(new TestLease(1));
      await advance(MINUTE);
      stopped.set(false);
      await advance(2.5 * MINUTE);
      expect(job.progress.nextTick).toBeNull();
      stopped.set(true);
      await advance(MINUTE);
      expect(started()).toEqual(['1', '4']);
    });

    it('leaves no timer behind when it is removed', async () => {
      const removal = new AbortController();
      const working = jobOf().work(new TestLease(1), removal.signal);
      await advance(MINUTE);
      removal.abort();
      await working;
      await advance(MINUTE);
      expect(started()).toEqual(['1']);
      expect(clock.pending).toBe(0);
    });
  });

  it('skips a tick that is late by more than the threshold', async () => {
    void jobOf({ threshold: 10_000 }).work(new TestLease(1));
    await settle();
    clock.freeze(MINUTE + 9_000);
    await advance(1);
    clock.freeze(MINUTE + 11_000);
    await advance(1);
    expect(started()).toEqual(['1']);
    expect(skipped).toEqual(['2 delayed']);
  });

  it('starts a single tick once per term, measured from its start', async () => {
    const scheduleOf = (begun: number) => new OneTimeSchedule(begun + 2 * MINUTE);
    const job = jobOf({ scheduleOf });
    const first = new TestLease(1);
    const working = job.work(first);
    await advance(10 * MINUTE);
    await working;
    expect(started()).toEqual(['2']);
    first.lose();
    void job.work(new TestLease(2));
    await advance(3 * MINUTE);
    expect(started()).toEqual(['2', '12']);
  });

  describe('run now', () => {
    it('runs once, without a tick, and rejects with what the run throws', async () => {
      const lease = new TestLease(1);
      const job = jobOf();
      await job.runNow(lease);
      expect(ticks).toEqual([{ job: 'job', scheduledAt: clock.wallNow(), late: false, manual: true }]);
      void job.work(lease);
      await advance(MINUTE);
      expect(started()).toEqual(['0', '1']);
      const broken = jobOf({ run: () => Promise.reject(new Error('broken')) });
      await expect(broken.runNow(lease)).rejects.toThrow('broken');
      expect(failures).toEqual([new Error('broken')]);
    });

    it('rejects while a run is in progress, unless runs may overlap', async () => {
      const lease = new TestLease(1);
      const job = jobOf({ run: endless });
      const running = job.runNow(lease);
      await settle();
      await expect(job.runNow(lease)).rejects.toBeInstanceOf(JobRunningError);
      lease.lose();
      await expect(running).rejects.toMatchObject({ name: 'LeadershipLostError' });
      const overlapping = jobOf({ run: endless, waitForCompletion: false });
      void overlapping.runNow(new TestLease(2));
      void overlapping.runNow(new TestLease(2));
      await settle();
      expect(overlapping.progress.running).toBe(2);
    });
  });
});
