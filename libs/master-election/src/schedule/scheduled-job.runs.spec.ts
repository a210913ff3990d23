import type { Lease } from '@detector-cluster/election';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestLease } from '../test-support/test-lease.js';
import { JobRunningError, JobTimeoutError, type MasterTick } from './job-progress.js';
import { endless, JobWorld, MINUTE, settle } from './scheduled-job.fixture.js';

describe('runs of a ScheduledJob', () => {
  let world: JobWorld;
  beforeEach(() => {
    world = new JobWorld();
  });

  it('does not overlap runs, unless configured to', async () => {
    const ends: (() => void)[] = [];
    const run = (_lease: Lease, tick: MasterTick) => {
      world.ticks.push(tick);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const job = world.jobOf({ run });
    void job.work(new TestLease(1));
    await world.advance(3 * MINUTE);
    expect(world.started()).toEqual(['1']);
    expect(world.skipped).toEqual(['2 running', '3 running']);
    expect(job.progress.running).toBe(1);
    ends.shift()!();
    await world.advance(MINUTE);
    expect(world.started()).toEqual(['1', '4']);

    world.ticks = [];
    void world.jobOf({ run, waitForCompletion: false, name: 'overlapping' }).work(new TestLease(1));
    await world.advance(2 * MINUTE);
    expect(world.started()).toEqual(['5', '6']);
  });

  it('does not overlap runs across terms either', async () => {
    const job = world.jobOf({
      run: (_lease, tick) => {
        world.ticks.push(tick);
        return new Promise(() => undefined);
      },
    });
    const first = new TestLease(1);
    void job.work(first);
    await world.advance(MINUTE);
    first.lose();
    void job.work(new TestLease(2));
    await world.advance(MINUTE);
    expect(world.started()).toEqual(['1']);
  });

  it('delays a hand-over until runs end, and aborts them on loss', async () => {
    const lease = new TestLease(1);
    let seen: Lease | undefined;
    void world
      .jobOf({
        run: (given) => {
          seen = given;
          return new Promise((_resolve, reject) =>
            given.signal.addEventListener('abort', () => reject(given.signal.reason as Error)),
          );
        },
      })
      .work(lease);
    await world.advance(MINUTE);
    expect(seen!.isValid()).toBe(true);
    expect(seen!.term).toBe(1);
    lease.suspend();
    expect(seen!.isValid()).toBe(false);
    lease.lose();
    expect(seen!.signal.aborted).toBe(true);
    expect(lease.work).toHaveLength(1);
    await expect(lease.work[0]).resolves.toBeUndefined();
    expect(world.failures).toEqual([]);
  });

  it('aborts a run that takes too long, and continues', async () => {
    const job = world.jobOf({
      timeout: 10_000,
      run: async ({ signal }, tick) => {
        world.ticks.push(tick);
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    void job.work(new TestLease(1));
    await world.advance(2 * MINUTE + 10_000);
    expect(world.started()).toEqual(['1', '2']);
    expect(world.failures).toEqual([expect.any(JobTimeoutError), expect.any(JobTimeoutError)]);
    expect(job.progress).toMatchObject({ failures: 2, running: 0 });
    expect((world.failures[0] as JobTimeoutError).message).toBe(
      "a run of job 'job' took longer than 10000 ms: its signal is aborted, and further runs do not wait for it",
    );
  });

  it('does not wait for a run that never settles, once it has timed out', async () => {
    const job = world.jobOf({
      timeout: 90_000,
      run: (_lease, tick) => {
        world.ticks.push(tick);
        return new Promise(() => undefined);
      },
    });
    const lease = new TestLease(1);
    void job.work(lease);
    await world.advance(5 * MINUTE);
    expect(world.started()).toEqual(['1', '3', '5']);
    expect(world.skipped).toEqual(['2 running', '4 running']);
    expect(world.failures).toEqual([expect.any(JobTimeoutError), expect.any(JobTimeoutError)]);
    expect(job.progress).toMatchObject({ running: 3, failures: 2 });
    lease.lose();
  });

  it('reports a run that throws or rejects, and continues', async () => {
    void world
      .jobOf({
        run: (_lease, tick) => {
          world.ticks.push(tick);
          throw new Error('broken');
        },
      })
      .work(new TestLease(1));
    await world.advance(2 * MINUTE);
    expect(world.started()).toEqual(['1', '2']);
    expect(world.failures).toEqual([new Error('broken'), new Error('broken')]);
  });

  describe('run now', () => {
    it('runs once, without a tick, and rejects with what the run throws', async () => {
      const lease = new TestLease(1);
      const job = world.jobOf();
      await job.runNow(lease);
      expect(world.ticks).toEqual([
        { job: 'job', scheduledAt: world.clock.wallNow(), late: false, manual: true },
      ]);
      void job.work(lease);
      await world.advance(MINUTE);
      expect(world.started()).toEqual(['0', '1']);
      const broken = world.jobOf({ run: () => Promise.reject(new Error('broken')) });
      await expect(broken.runNow(lease)).rejects.toThrow('broken');
      expect(world.failures).toEqual([new Error('broken')]);
    });

    it('rejects while a run is in progress, unless runs may overlap', async () => {
      const lease = new TestLease(1);
      const job = world.jobOf({ run: endless });
      const running = job.runNow(lease);
      await settle();
      await expect(job.runNow(lease)).rejects.toBeInstanceOf(JobRunningError);
      lease.lose();
      await expect(running).rejects.toMatchObject({ name: 'LeadershipLostError' });
      const overlapping = world.jobOf({ run: endless, waitForCompletion: false });
      void overlapping.runNow(new TestLease(2));
      void overlapping.runNow(new TestLease(2));
      await settle();
      expect(overlapping.progress.running).toBe(2);
    });
  });
});
