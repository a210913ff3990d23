import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Cron, CronExpression, Interval, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Lease } from '@detector-cluster/election';
import { eventually } from '@detector-cluster/election/testing';
import { Redis } from 'ioredis';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  MASTER_ELECTION_OPTIONS,
  MasterCron,
  MasterElection,
  MasterElectionModule,
  MasterInterval,
  MasterJobRegistry,
  type MasterTick,
  MasterTimeout,
  OnMasterAcquired,
  getMasterElectionOptionsToken,
} from '../index.js';
import { silentLogger } from '../test-support/silent-logger.js';
import { TEST_TIMING } from '../test-support/test-process.js';

const TIMEOUT = 20_000;
@Injectable()
class Jobs {
  readonly ticks: MasterTick[] = [];

  @MasterCron(CronExpression.EVERY_SECOND, { name: 'cron' })
  @MasterInterval('interval', 100)
  run(_lease: Lease, tick: MasterTick): void {
    this.ticks.push(tick);
  }

  @MasterTimeout(300, { name: 'timeout' })
  once(_lease: Lease, tick: MasterTick): void {
    this.ticks.push(tick);
  }

  @MasterCron('0 3 * * *', { name: 'off', disabled: true, utcOffset: 120 })
  off(): void {}

  startsOf(name: string): number {
    return this.ticks.filter(({ job }) => job === name).length;
  }
}

/** Jobs of `@nestjs/schedule` that do not use elections. */
@Injectable()
class Plain {
  readonly at: number[] = [];
  intervals = 0;

  @Cron('* * * * * *', { name: 'plain' })
  cron(): void {
    this.at.push(Math.floor(Date.now() / 1_000));
  }

  @Interval('plain interval', 50)
  interval(): void {
    this.intervals++;
  }

  constructor(readonly scheduler: SchedulerRegistry) {}
}

/** Resolves when Redis has answered what the process had asked before, such as the record of a tick, and the answer was acted on. */
const answered = async (app: TestingModule) => {
  await get(app, MasterElection).getAllProcesses();
  await pause(1);
};

const get = <Value>(app: TestingModule, token: Type<Value>) => app.get(token, { strict: false });

describe('jobs in the SchedulerRegistry', () => {
  let redis: Redis;
  let lockName: string;
  let apps: TestingModule[];

  beforeEach(() => {
    redis = new Redis(process.env.REDIS_URL!);
    lockName = `{scheduler-${randomUUID()}}`;
    apps = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    const keys = await redis.keys(`${lockName}*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  const start = async (
    providers: Provider[],
    { before = [], after = [] }: Record<string, (DynamicModule | Type)[]> = {},
  ) => {
    const election = MasterElectionModule.forRoot({
      redis: process.env.REDIS_URL!,
      lockName,
      ...TEST_TIMING,
    });
    @Module({ imports: [...before!, election, ...after!], providers })
    class App {}
    const app = await Test.createTestingModule({ imports: [App] })
      .setLogger(silentLogger)
      .compile();
    apps.push(app);
    await app.init();
    return app;
  };

  it('are listed by kind and name on every process, together with its heartbeat', async () => {
    for (const app of [await start([Jobs]), await start([Jobs])]) {
      const scheduler = get(app, SchedulerRegistry);
      expect([...scheduler.getCronJobs().keys()].sort()).toEqual([
        'cron',
        'master-election:heartbeat',
        'off',
      ]);
      expect(scheduler.getIntervals()).toEqual(['interval']);
      expect(scheduler.getTimeouts()).toEqual(['timeout']);
      expect(scheduler.getCronJob('cron').isActive).toBe(true);
      expect(scheduler.getCronJob('off').isActive).toBe(false);
      expect(scheduler.getCronJob('off').nextDate().toUTC().hour).toBe(1);
    }
  });

  it('are stopped and started there', async () => {
    const app = await start([Jobs]);
    const [jobs, scheduler, registry] = [
      get(app, Jobs),
      get(app, SchedulerRegistry),
      get(app, MasterJobRegistry),
    ];
    await eventually('all run', TIMEOUT, () =>
      ['cron', 'interval', 'timeout'].every((name) => jobs.startsOf(name) > 0),
    );
    await scheduler.getCronJob('cron').stop();
    scheduler.deleteInterval('interval');
    await answered(app);
    const before = ['cron', 'interval'].map((name) => jobs.startsOf(name));
    await pause(1_500);
    expect(['cron', 'interval'].map((name) => jobs.startsOf(name))).toEqual(before);
    expect(registry.getJob('cron')).toMatchObject({ paused: true, kind: 'cron', nextTick: null });
    expect(registry.getJob('interval')).toMatchObject({ paused: true, schedulerName: 'interval' });

    const resumed = Date.now();
    scheduler.getCronJob('cron').start();
    registry.resume('interval');
    await eventually('both run again', TIMEOUT, () =>
      ['cron', 'interval'].every((name, i) => jobs.startsOf(name) > before[i]! + 1),
    );
    expect(scheduler.getIntervals()).toEqual(['interval']);
    const since = jobs.ticks.slice(-3).map(({ scheduledAt }) => scheduledAt);
    for (const scheduledAt of since) expect(scheduledAt).toBeGreaterThan(resumed - 1_000);
    expect(jobs.startsOf('timeout')).toBe(1);
  });

  it('stop the heartbeat of the process and start it again there', async () => {
    const app = await start([]);
    const job = get(app, SchedulerRegistry).getCronJob('master-election:heartbeat');
    const election = get(app, MasterElection);
    await election.waitForElectionComplete();
    const lastSeen = async () => (await election.getAllProcesses())[0]!.lastSeen;
    const first = await lastSeen();
    await job.fireOnTick();
    await eventually('a renewal', TIMEOUT, async () => (await lastSeen()) > first);
    await job.stop();
    expect(job.isActive).toBe(false);
    await election.registerProcess((await election.getAllProcesses())[0]!);
    expect(job.isActive).toBe(false);
    job.start();
    const stopped = await lastSeen();
    await eventually('a heartbeat', TIMEOUT, async () => (await lastSeen()) > stopped);
  });

  it.each(['before', 'after'])(
    'use the registry of a ScheduleModule that the application imports %s, whose jobs run once',
    async (where) => {
      const app = await start([Jobs, Plain], { [where]: [ScheduleModule.forRoot()] });
      const plain = get(app, Plain);
      const names = [...plain.scheduler.getCronJobs().keys()].sort();
      expect(names).toEqual(['cron', 'master-election:heartbeat', 'off', 'plain']);
      await eventually('several seconds', TIMEOUT, () => new Set(plain.at).size >= 3);
      expect(plain.at.length).toBe(new Set(plain.at).size);
      expect(plain.intervals).toBeLessThanOrEqual(1 + (3 * 1_000 + 1_000) / 50);
      await app.close();
      expect(plain.scheduler.getCronJobs().size).toBe(0);
    },
  );

  it('leave jobs of @nestjs/schedule running when the application does not import it', async () => {
    const app = await start([Plain]);
    await eventually('a run', TIMEOUT, () => get(app, Plain).at.length > 0);
  });

  it('can be run at once, on the master only', async () => {
    const [app, other] = [await start([Jobs]), await start([Jobs])];
    for (const one of apps) await get(one, MasterElection).waitForElectionComplete();
    const [master, slave] = get(app, MasterElection).getIsMaster() ? [app, other] : [other, app];
    await get(master, MasterJobRegistry).runNow('off');
    expect(get(master, MasterJobRegistry).getJob('off')).toMatchObject({ starts: 1, lastTick: null });
    await expect(get(slave, MasterJobRegistry).runNow('off')).rejects.toMatchObject({
      code: 'NOT_MASTER',
      masterId: get(master, MasterElection).masterId,
    });
    await expect(get(master, MasterJobRegistry).runNow('none')).rejects.toMatchObject({
      code: 'UNKNOWN_JOB',
    });
    await get(master, SchedulerRegistry).getCronJob('off').fireOnTick();
    await eventually('started by fireOnTick', TIMEOUT, () => {
      return get(master, MasterJobRegistry).getJob('off')!.starts === 2;
    });
  });

  it('can be added and removed at run time, also during a term', async () => {
    const app = await start([]);
    await get(app, MasterElection).waitForElectionComplete();
    const [registry, scheduler] = [get(app, MasterJobRegistry), get(app, SchedulerRegistry)];
    const ran: string[] = [];
    const run = (_lease: Lease, { job }: MasterTick) => ran.push(job);
    registry.addCron('added cron', CronExpression.EVERY_SECOND, run);
    registry.addInterval('added interval', 50, run);
    registry.addTimeout('added timeout', 100, run);
    await eventually('all run', TIMEOUT, () => new Set(ran).size === 3);
    expect(scheduler.doesExist('cron', 'added cron')).toBe(true);
    expect(() => registry.addInterval('added interval', 50, run)).toThrow(
      /is a job of the name 'added interval' already/,
    );
    expect(() => registry.addCron('bad', '61 * * * *', run)).toThrow(/no valid cron expression/);
    registry.remove('added interval');
    // A tick that was recorded before may still start.
    await eventually('no more runs', TIMEOUT, async () => {
      ran.length = 0;
      await pause(300);
      return !ran.includes('added interval');
    });
    expect(scheduler.getIntervals()).toEqual([]);
    expect(registry.getJobs().map(({ name }) => name)).toEqual(['added cron', 'added timeout']);
  });

  it('wait for their initial delay', async () => {
    const at: number[] = [];
    @Injectable()
    class Delayed {
      @MasterInterval(50, { initialDelay: 700 })
      run(): void {
        at.push(performance.now());
      }
    }
    const begun = performance.now();
    await start([Delayed]);
    await eventually('a run', TIMEOUT, () => at.length > 0);
    expect(at[0]! - begun).toBeGreaterThanOrEqual(699);
  });

  it('come from lazily loaded modules too, and join the current term', async () => {
    const seen: string[] = [];
    @Injectable()
    class Late {
      @OnMasterAcquired()
      acquired(lease: Lease): void {
        seen.push(`acquired, valid: ${lease.isValid()}`);
      }

      @MasterInterval(50, { name: 'late' })
      run(): void {
        if (!seen.includes('run')) seen.push('run');
      }
    }
    @Module({ providers: [Late] })
    class LateModule {}
    const app = await start([]);
    await get(app, MasterElection).waitForElectionComplete();
    await get(app, LazyModuleLoader).load(() => LateModule);
    await eventually('both', TIMEOUT, () => seen.length === 2);
    expect(seen).toEqual(['acquired, valid: true', 'run']);
    expect(get(app, SchedulerRegistry).getIntervals()).toEqual(['late']);
    await pause(1_200);
    expect(seen).toHaveLength(2);
  });

  it('do not block onModuleInit: waiting for an election that has not begun rejects at once', async () => {
    let failure: unknown;
    @Injectable()
    class Impatient {
      constructor(private readonly election: MasterElection) {}
      async onModuleInit(): Promise<void> {
        const begun = performance.now();
        failure = await this.election.waitForElectionComplete().catch((error: unknown) => error);
        expect(performance.now() - begun).toBeLessThan(5_000);
      }
    }
    await start([Impatient]);
    expect(failure).toMatchObject({
      code: 'ELECTION_NOT_STARTED',
      message: expect.stringContaining('onApplicationBootstrap'),
    });
  });

  it('read options by exported tokens', async () => {
    @Injectable()
    class Reader {
      constructor(
        @Inject(MASTER_ELECTION_OPTIONS) readonly given: unknown,
        @Inject(getMasterElectionOptionsToken()) readonly resolved: unknown,
        @Inject(getMasterElectionOptionsToken('reports')) readonly reports: unknown,
      ) {}
    }
    const app = await start([Reader], { after: [MasterElectionModule.forFeature({ name: 'reports' })] });
    const { given, resolved, reports } = get(app, Reader);
    expect(given).toMatchObject({ lockName });
    expect(resolved).toMatchObject({ lockName, name: 'default', checkInterval: expect.any(Number) });
    expect(reports).toMatchObject({ lockName: `${lockName}:reports`, name: 'reports' });
  });
});
