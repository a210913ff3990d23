import { VirtualClock } from '@detector-cluster/election/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestLease } from '../test-support/test-lease.js';
import { FakeTickRecord } from '../testing/fake-tick-record.js';
import { onceAt } from './job-schedule.js';
import type { Sleeper } from './timer-alarm.js';
import { JobWorld, MINUTE, settle } from './scheduled-job.fixture.js';

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
  let world: JobWorld;
  beforeEach(() => {
    world = new JobWorld();
  });

  it('starts each tick at its time while the lease lasts, and leaves no timer behind', async () => {
    const job = world.jobOf();
    const lease = new TestLease(1);
    const working = job.work(lease);
    await world.advance(MINUTE - 1);
    expect(world.started()).toEqual([]);
    expect(job.progress).toMatchObject({ nextTick: world.start + MINUTE, lastTick: null });
    await world.advance(1 + 2 * MINUTE);
    expect(world.started()).toEqual(['1', '2', '3']);
    lease.lose();
    await working;
    await world.advance(5 * MINUTE);
    expect(world.started()).toHaveLength(3);
    expect(world.clock.pending).toBe(0);
    expect(job.progress).toEqual({
      running: 0,
      starts: 3,
      skipped: 0,
      failures: 0,
      lastTick: world.start + 3 * MINUTE,
      nextTick: null,
    });
  });

  it('starts a tick in one process only, even when two believe they are master', async () => {
    const leases = [new TestLease(1), new TestLease(2)];
    const jobs = leases.map((lease) => ({ job: world.jobOf(), lease }));
    for (const { job, lease } of jobs) void job.work(lease);
    await world.advance(3 * MINUTE);
    expect(world.started()).toEqual(['1', '2', '3']);
    expect(world.skipped.length).toBe(3);
    for (const lease of leases) lease.lose();
  });

  it('skips ticks that were due while there was no master', async () => {
    const first = new TestLease(1);
    void world.jobOf().work(first);
    await world.advance(MINUTE);
    first.lose();
    await world.advance(2 * MINUTE + 10);
    void world.jobOf().work(new TestLease(2));
    await world.advance(MINUTE);
    expect(world.started()).toEqual(['1', '4']);
  });

  it('catches up with only the last tick that was due while there was no master', async () => {
    const first = new TestLease(1);
    void world.jobOf({ catchUp: true }).work(first);
    await world.advance(MINUTE);
    first.lose();
    await world.advance(2 * MINUTE + 10);
    const second = new TestLease(2);
    void world.jobOf({ catchUp: true }).work(second);
    await world.advance(MINUTE);
    second.lose();
    void world.jobOf({ catchUp: true }).work(new TestLease(3));
    await world.advance(MINUTE);
    expect(world.started()).toEqual(['1', '3 late', '4', '5']);
  });

  it('does not catch up on a job that no process has run before', async () => {
    void world.jobOf({ catchUp: true }).work(new TestLease(1));
    await world.advance(10);
    expect(world.started()).toEqual([]);
    const later = new TestLease(2);
    await world.advance(MINUTE - 20);
    void world.jobOf({ catchUp: true, name: 'other' }).work(later);
    await world.advance(10 + MINUTE);
    expect(world.started()).toEqual(['1', '1', '2', '2']);
  });

  it('starts only the last of the ticks that were due while the process was frozen', async () => {
    void world.jobOf().work(new TestLease(1));
    await settle();
    world.clock.freeze(3.5 * MINUTE);
    await world.advance(1);
    expect(world.started()).toEqual(['3']);
    expect(world.skipped).toEqual(['1 overtaken']);
    await world.advance(MINUTE);
    expect(world.started()).toEqual(['3', '4']);
  });

  it('follows changes of the wall clock', async () => {
    void world.jobOf().work(new TestLease(1));
    await settle();
    world.clock.stepWall(30_000);
    await world.advance(29_000);
    expect(world.started()).toEqual([]);
    await world.advance(1_000);
    expect(world.started()).toEqual(['1']);
    world.clock.stepWall(-10 * MINUTE);
    await world.advance(11 * MINUTE);
    expect(world.started()).toEqual(['1', '2']);
  });

  describe('when the clock of its process differs from the clock of the record', () => {
    /** How far the world.clock of the process is ahead. Milliseconds. */
    let ahead: number;
    const recordOf = () => new FakeTickRecord({ wallNow: () => world.clock.wallNow() - ahead });

    it.each([60, 7, -7])('starts each tick at the time of the record, %i minutes ahead', async (minutes) => {
      ahead = minutes * MINUTE;
      world.record = recordOf();
      const first = world.minute(world.clock.wallNow() - ahead) + 1;
      void world.jobOf({ ticks: () => world.record }).work(new TestLease(1));
      await world.advance(3 * MINUTE);
      expect(world.started()).toEqual([0, 1, 2].map((n) => String(first + n)));
      expect(world.differences).toEqual([ahead]);
    });

    it('does not prevent a successor with the right clock from starting ticks', async () => {
      ahead = 0;
      world.record = recordOf();
      const fast = new TestLease(1);
      void world.jobOf({ ticks: () => world.record }).work(fast);
      await world.advance(MINUTE);
      // The world.clock of the master becomes wrong during its term.
      ahead = 60 * MINUTE;
      world.clock.stepWall(ahead);
      await world.advance(2 * MINUTE);
      fast.lose();
      world.clock.stepWall(-ahead);
      ahead = 0;
      void world.jobOf({ ticks: () => world.record }).work(new TestLease(2));
      await world.advance(2 * MINUTE);
      expect(world.started()).toEqual(['1', '2', '3', '4', '5']);
    });

    it('continues within seconds after the clock of its process is corrected', async () => {
      ahead = 60 * MINUTE;
      world.record = recordOf();
      const first = world.minute(world.clock.wallNow() - ahead) + 1;
      void world.jobOf({ ticks: () => world.record }).work(new TestLease(1));
      await world.advance(MINUTE);
      world.clock.stepWall(-ahead);
      ahead = 0;
      await world.advance(2 * MINUTE);
      expect(world.started()).toEqual([0, 1, 2].map((n) => String(first + n)));
    });
  });

  it('delays a tick until the lease is valid again', async () => {
    const lease = new TestLease(1);
    void world.jobOf().work(lease);
    lease.suspend();
    await world.advance(MINUTE + 5_000);
    expect(world.started()).toEqual([]);
    lease.resume();
    await world.advance(1);
    expect(world.started()).toEqual(['1']);
    lease.suspend();
    await world.advance(MINUTE);
    lease.lose();
    await settle();
    expect(world.started()).toEqual(['1']);
    expect(world.skipped).toEqual(['2 lost']);
  });

  it('starts no run if the lease is lost while the start is recorded', async () => {
    const lease = new TestLease(1);
    const slow = new FakeTickRecord(world.clock);
    const start = slow.start.bind(slow);
    slow.start = async (claim) => {
      const outcome = await start(claim);
      lease.lose();
      return outcome;
    };
    await Promise.all([world.jobOf({ ticks: () => slow }).work(lease), world.advance(MINUTE)]);
    expect(world.started()).toEqual([]);
    expect(world.skipped).toEqual(['1 lost']);
  });

  it('retries while the record is unavailable, until the next tick is due', async () => {
    const flaky = new FakeTickRecord(world.clock);
    const start = flaky.start.bind(flaky);
    let away = true;
    let applied = 0;
    flaky.start = async (claim) => {
      const outcome = await start(claim);
      applied++;
      if (away) throw new Error('the reply was lost');
      return outcome;
    };
    void world.jobOf({ ticks: () => flaky }).work(new TestLease(1));
    await world.advance(MINUTE + 20_000);
    expect(world.started()).toEqual([]);
    away = false;
    await world.advance(1_000);
    expect(world.started()).toEqual(['1']);
    expect(applied).toBeGreaterThan(2);
    expect(world.unreachable.length).toBe(applied - 1);
    away = true;
    await world.advance(2 * MINUTE);
    away = false;
    await world.advance(MINUTE);
    expect(world.started()).toEqual(['1', '3', '4']);
    expect(world.skipped).toEqual(['2 unrecorded']);
  });

  it('starts no tick that was not recorded before its removal', async () => {
    const flaky = new FakeTickRecord(world.clock);
    const start = flaky.start.bind(flaky);
    let away = true;
    flaky.start = (claim) => (away ? Promise.reject(new Error('away')) : start(claim));
    const removal = new AbortController();
    const job = world.jobOf({ ticks: () => flaky });
    const working = job.work(new TestLease(1), removal.signal);
    await world.advance(MINUTE + 5_000);
    expect(world.unreachable.length).toBeGreaterThan(0);
    away = false;
    removal.abort();
    await working;
    await world.advance(MINUTE);
    expect([world.started(), world.skipped]).toEqual([[], []]);
    expect(world.clock.pending).toBe(0);
  });

  it('starts no tick if it is removed while the lease is not ready', async () => {
    const lease = new TestLease(1);
    const removal = new AbortController();
    const working = world.jobOf().work(lease, removal.signal);
    await world.advance(0);
    lease.suspend();
    await world.advance(MINUTE + 5_000);
    removal.abort();
    lease.resume();
    await working;
    expect(world.started()).toEqual([]);
  });

  it('catches up as soon as the record is available', async () => {
    await world.record.enter('job', 1);
    const enter = world.record.enter.bind(world.record);
    let away = true;
    world.record.enter = (job, term) => (away ? Promise.reject(new Error('away')) : enter(job, term));
    await world.advance(1.5 * MINUTE);
    void world.jobOf({ catchUp: true }).work(new TestLease(2));
    await world.advance(MINUTE);
    expect(world.started()).toEqual([]);
    away = false;
    await world.advance(1_000);
    expect(world.started()).toEqual(['2']);
    expect(world.unreachable.length).toBeGreaterThan(1);
  });

  describe('when its alarm is stopped', () => {
    it('starts no tick until it is restarted, and skips those that were due in between', async () => {
      const stopped = stoppable(world.clock);
      const job = world.jobOf({ alarm: stopped });
      void job.work(new TestLease(1));
      await world.advance(MINUTE);
      stopped.set(false);
      await world.advance(2.5 * MINUTE);
      expect(job.progress.nextTick).toBeNull();
      stopped.set(true);
      await world.advance(MINUTE);
      expect(world.started()).toEqual(['1', '4']);
    });

    it('leaves no timer behind when it is removed', async () => {
      const removal = new AbortController();
      const working = world.jobOf().work(new TestLease(1), removal.signal);
      await world.advance(MINUTE);
      removal.abort();
      await working;
      await world.advance(MINUTE);
      expect(world.started()).toEqual(['1']);
      expect(world.clock.pending).toBe(0);
    });
  });

  it('skips a tick that is late by more than the threshold', async () => {
    void world.jobOf({ threshold: 10_000 }).work(new TestLease(1));
    await settle();
    world.clock.freeze(MINUTE + 9_000);
    await world.advance(1);
    world.clock.freeze(MINUTE + 11_000);
    await world.advance(1);
    expect(world.started()).toEqual(['1']);
    expect(world.skipped).toEqual(['2 delayed']);
  });

  it('starts a single tick once per term, measured from its start', async () => {
    const job = world.jobOf({ scheduleOf: (begun) => onceAt(begun + 2 * MINUTE) });
    const first = new TestLease(1);
    const working = job.work(first);
    await world.advance(10 * MINUTE);
    await working;
    expect(world.started()).toEqual(['2']);
    first.lose();
    void job.work(new TestLease(2));
    await world.advance(3 * MINUTE);
    expect(world.started()).toEqual(['2', '12']);
  });
});
