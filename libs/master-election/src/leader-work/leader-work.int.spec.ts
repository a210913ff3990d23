import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Module,
  Scope,
  type INestApplicationContext,
  type LoggerService,
  type Provider,
} from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { startRedis } from '@detector-cluster/dev-services';
import type { Lease } from '@detector-cluster/election';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  getMasterElectionToken,
  type LeaderWorkError,
  MasterCron,
  MasterElection,
  MasterElectionModule,
  MasterInterval,
  MasterJobRegistry,
  OnMasterAcquired,
  OnMasterLost,
  OnMasterResumed,
  OnMasterSuspended,
  OnSlaveRegistered,
  OnSlaveRemoved,
  type MasterTick,
  type SlaveNode,
} from '../index.js';
import { eventually } from '@detector-cluster/election/testing';
import { startTestProcess, TEST_TIMING } from '../test-support/test-process.js';

const TIMEOUT = 20_000;

/** A logger that keeps warnings and errors. */
class ListLogger implements LoggerService {
  readonly lines: string[] = [];
  log(): void {}
  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  error(message: string): void {
    this.lines.push(`error ${message}`);
  }
}

@Injectable()
class Observer {
  readonly seen: string[] = [];
  leases: Lease[] = [];

  @OnMasterAcquired()
  acquired(lease: Lease): Promise<void> {
    this.seen.push(`acquired, valid: ${lease.isValid()}`);
    this.leases.push(lease);
    return new Promise((resolve) => lease.signal.addEventListener('abort', () => resolve()));
  }

  @OnMasterLost()
  lost({ term, reason }: { term: number; reason: string }): void {
    this.seen.push(`lost ${reason}, same term: ${term === this.leases.at(-1)?.term}`);
  }

  @OnSlaveRegistered()
  joined({ nodeId }: SlaveNode): void {
    this.seen.push(`joined ${nodeId}`);
  }

  @OnSlaveRemoved()
  left(nodeId: string): void {
    this.seen.push(`left ${nodeId}`);
  }
}

describe('decorated methods', () => {
  let redis: Redis;
  let lockName: string;
  let apps: INestApplicationContext[];
  let logger: ListLogger;

  beforeEach(() => {
    redis = new Redis(process.env.REDIS_URL!);
    lockName = `{work-${randomUUID()}}`;
    apps = [];
    logger = new ListLogger();
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    const keys = await redis.keys(`${lockName}*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  const start = async (providers: Provider[], more: { named?: boolean; redis?: string } = {}) => {
    const options = { redis: more.redis ?? process.env.REDIS_URL!, lockName, ...TEST_TIMING };
    const root = MasterElectionModule.forRoot(options);
    const imports = more.named
      ? [root, MasterElectionModule.forFeature({ name: 'reports', lockName: `${lockName}-reports` })]
      : [root];
    @Module({ imports, providers, exports: providers })
    class Feature {}
    const app = await Test.createTestingModule({ imports: [Feature] })
      .setLogger(logger)
      .compile();
    await app.init();
    apps.push(app);
    return app;
  };

  it('are called with the arguments of their events', async () => {
    const app = await start([Observer]);
    const { seen, leases } = app.get(Observer);
    await eventually('acquired', TIMEOUT, () => leases.length === 1);
    expect(leases[0]).toBe(app.get(MasterElection, { strict: false }).lease);
    const other = await startTestProcess({ redis: process.env.REDIS_URL!, lockName });
    const id = other.election.getNodeId();
    await eventually('joined', TIMEOUT, () => seen.includes(`joined ${id}`));
    await other.app.close();
    await eventually('left', TIMEOUT, () => seen.includes(`left ${id}`));
    await app.close();
    expect(seen).toEqual([
      'acquired, valid: true',
      `joined ${id}`,
      `left ${id}`,
      'lost stopped, same term: true',
    ]);
  });

  it('learn of a suspension and its end while Redis does not answer for a time', async () => {
    const seen: string[] = [];
    @Injectable()
    class Work {
      @OnMasterSuspended()
      suspended({ term }: { term: number }): void {
        seen.push(`suspended in ${term}`);
      }

      @OnMasterResumed()
      resumed({ term }: { term: number }): void {
        seen.push(`resumed in ${term}`);
      }
    }
    const server = await startRedis();
    try {
      const app = await start([Work, Observer], { redis: server.url });
      const { leases } = app.get(Observer);
      await eventually('acquired', TIMEOUT, () => leases.length === 1);
      server.pause();
      await eventually('suspended', TIMEOUT, () => seen.length > 0);
      expect(leases[0]!.isValid()).toBe(false);
      server.resume();
      await eventually('resumed', TIMEOUT, () => seen.length > 1);
      expect(seen).toEqual([`suspended in ${leases[0]!.term}`, `resumed in ${leases[0]!.term}`]);
      expect(leases[0]!.isValid()).toBe(true);
      await app.close();
    } finally {
      server.resume();
      await server.stop();
    }
  });

  it('delay a hand-over until they have ended', async () => {
    const ends: (() => void)[] = [];
    @Injectable()
    class Slow {
      @OnMasterAcquired()
      work(): Promise<void> {
        return new Promise((resolve) => ends.push(resolve));
      }
    }
    const app = await start([Slow, Observer]);
    const { leases } = app.get(Observer);
    await eventually('acquired', TIMEOUT, () => leases.length === 1);
    const closing = app.close();
    await eventually('aborted', TIMEOUT, () => leases[0]!.signal.aborted);
    await sleep(200);
    expect(await redis.exists(`${lockName}:lease`)).toBe(1);
    for (const end of ends) end();
    await closing;
    expect(await redis.exists(`${lockName}:lease`)).toBe(0);
  });

  it('do not end a term when they fail: each kind is logged once, each failure is an event', async () => {
    @Injectable()
    class Broken {
      calls = 0;

      @OnMasterAcquired()
      acquired(): never {
        throw new Error('cannot begin');
      }

      @MasterInterval(50)
      tick(): Promise<void> {
        this.calls++;
        return Promise.reject(new Error('cannot run'));
      }
    }
    const app = await start([Broken, Observer]);
    const election = app.get(MasterElection, { strict: false });
    const errors: Error[] = [];
    election.on('error', (error) => errors.push(error));
    const job = () => app.get(MasterJobRegistry, { strict: false }).getJob('Broken.tick');
    await eventually('many failures', TIMEOUT, () => app.get(Broken).calls >= 5 && job()!.failures >= 5);
    expect(election.lease!.isValid()).toBe(true);
    expect(logger.lines.filter((line) => line.includes('Broken'))).toEqual([
      'error Broken.acquired failed: cannot begin',
      'error Broken.tick failed: cannot run',
    ]);
    const failedRuns = errors.filter((error) => (error as LeaderWorkError).work === 'Broken.tick');
    expect(failedRuns.length).toBeGreaterThanOrEqual(3);
    expect(failedRuns[0]).toMatchObject({ name: 'LeaderWorkError', cause: new Error('cannot run') });
    expect(job()).toMatchObject({ election: 'default', method: 'Broken.tick' });
  });

  it('run on schedule on the master only, and report their progress', async () => {
    const ticks: [app: number, tick: MasterTick][] = [];
    const jobOf = (app: number): Provider => {
      @Injectable()
      class Job {
        @MasterCron('* * * * * *', { name: 'cron' })
        @MasterInterval(100, { name: 'interval' })
        run(lease: Lease, tick: MasterTick): void {
          if (lease.isValid()) ticks.push([app, tick]);
        }
      }
      return Job;
    };
    await start([jobOf(0)]);
    await start([jobOf(1)]);
    const elections = apps.map((app) => app.get(MasterElection, { strict: false }));
    await eventually('runs of both jobs', TIMEOUT, () =>
      ['cron', 'interval'].every((name) => ticks.filter(([, { job }]) => job === name).length >= 3),
    );
    const master = elections.findIndex((election) => election.getIsMaster());
    expect(new Set(ticks.map(([app]) => app))).toEqual(new Set([master]));
    for (const [, { job, scheduledAt }] of ticks)
      expect(scheduledAt % (job === 'cron' ? 1_000 : 100)).toBe(0);
    const statuses = apps.map((app) => app.get(MasterJobRegistry, { strict: false }).getJobs());
    expect(statuses[master]!.map(({ name }) => name).sort()).toEqual(['cron', 'interval']);
    expect(statuses[master]![0]!.nextTick).toBeGreaterThan(0);
    expect(statuses[1 - master]![0]).toMatchObject({ starts: 0, lastTick: null, nextTick: null });
  });

  it('can be numerous without a warning of a listener leak', async () => {
    const called = new Set<number>();
    const providers = Array.from({ length: 15 }, (_, i): Provider => {
      @Injectable()
      class Many {
        @OnMasterAcquired()
        acquired(lease: Lease): Promise<void> {
          return new Promise((resolve) => lease.signal.addEventListener('abort', () => resolve()));
        }

        @MasterInterval(100, { name: `job ${i}` })
        run(): void {
          called.add(i);
        }
      }
      return Many;
    });
    const app = await start(providers);
    await eventually('all have run', TIMEOUT, () => called.size === providers.length);
    // Node warns of a leak beyond this limit.
    const election = app.get(MasterElection, { strict: false });
    expect(election.listenerCount('master-acquired')).toBeGreaterThanOrEqual(2 * providers.length);
    expect(election.listenerCount('master-acquired')).toBeLessThanOrEqual(election.getMaxListeners());
  });

  it('belong to the election that they name', async () => {
    @Injectable()
    class Reports {
      readonly acquired: string[] = [];
      readonly runs: Lease[] = [];

      @OnMasterAcquired({ election: 'reports' })
      reports(): void {
        this.acquired.push('reports');
      }

      @OnMasterAcquired()
      root(): void {
        this.acquired.push('root');
      }

      @MasterInterval(50, { election: 'reports', name: 'daily' })
      run(lease: Lease): void {
        this.runs.push(lease);
      }
    }
    const app = await start([Reports], { named: true });
    const { acquired, runs } = app.get(Reports);
    await eventually('both', TIMEOUT, () => acquired.length === 2 && runs.length > 0);
    expect([...acquired].sort()).toEqual(['reports', 'root']);
    const reports = app.get<MasterElection>(getMasterElectionToken('reports'), { strict: false });
    expect(runs[0]!.term).toBe(reports.term);
    expect(await redis.exists(`${lockName}-reports:cron:daily`)).toBe(1);
    expect(app.get(MasterJobRegistry, { strict: false }).getJob('daily', 'reports')).toBeDefined();
  });

  it('are mounted once per instance, even if several tokens provide it', async () => {
    const app = await start([Observer, { provide: 'alias', useExisting: Observer }], { named: true });
    const { leases } = app.get(Observer);
    await eventually('acquired', TIMEOUT, () => leases.length > 0);
    expect(leases).toHaveLength(1);
  });

  it('cause a warning with class and method when they cannot be called', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      @OnMasterAcquired()
      work(): void {}
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient {
      @MasterCron('* * * * *')
      work(): void {}
    }
    @Injectable()
    class Dependent {
      constructor(readonly parent: PerRequest) {}
      @OnMasterLost()
      work(): void {}
    }
    await start([PerRequest, Transient, Dependent]);
    expect(logger.lines).toEqual([
      'warn @OnMasterAcquired on PerRequest.work is without effect: its class is request-scoped, or depends on one that is; move the method to a provider of default scope',
      'warn @MasterCron on Transient.work is without effect: its class is transient, so that there is no single instance; move the method to a provider of default scope',
      'warn @OnMasterLost on Dependent.work is without effect: its class is request-scoped, or depends on one that is; move the method to a provider of default scope',
    ]);
  });

  it('of lazily loaded modules are reported, too, when they cannot be called or mounted', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      @OnMasterAcquired()
      work(): void {}
    }
    @Injectable()
    class Wrong {
      @MasterCron('61 * * * *')
      cron(): void {}
    }
    @Module({ providers: [PerRequest, Wrong] })
    class LateModule {}
    const app = await start([]);
    await app.get(LazyModuleLoader, { strict: false }).load(() => LateModule);
    await eventually('both', TIMEOUT, () => logger.lines.length === 2);
    expect(logger.lines).toEqual([
      expect.stringMatching(/^warn @OnMasterAcquired on PerRequest.work is without effect/),
      expect.stringMatching(/^error .*@MasterCron on Wrong.cron: .*no valid cron expression/s),
    ]);
  });

  it('stop the start of the application when they cannot be mounted, with all problems at once', async () => {
    @Injectable()
    class Wrong {
      @MasterCron('61 * * * *')
      cron(): void {}

      @MasterInterval(0)
      interval(): void {}

      @OnMasterAcquired({ election: 'nowhere' })
      acquired(): void {}

      @MasterInterval(10, { name: 'same' })
      first(): void {}

      @MasterInterval(10, { name: 'same' })
      second(): void {}
    }
    const failure = await start([Wrong]).then(
      () => undefined,
      (error: unknown) => error as Error & { problems: string[] },
    );
    expect(failure).toMatchObject({ name: 'InvalidLeaderWorkError', code: 'INVALID_LEADER_WORK' });
    expect(failure!.problems.map((problem) => problem.split(': ')[0])).toEqual([
      '@MasterCron on Wrong.cron',
      '@MasterInterval on Wrong.interval',
      '@OnMasterAcquired on Wrong.acquired',
      '@MasterInterval on Wrong.second',
    ]);
    expect(failure!.message).toMatch(/no election 'nowhere'; import MasterElectionModule.forFeature/);
    expect(failure!.message).toMatch(/Wrong.first is a job of the name 'same' already/);
  });
});
