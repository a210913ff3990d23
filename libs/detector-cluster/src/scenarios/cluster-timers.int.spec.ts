import { randomUUID } from 'node:crypto';
import { eventually } from '@detector-cluster/election/testing';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Injectable, type DynamicModule } from '@nestjs/common';
import { Interval, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../master-election/src/test-support/silent-logger.js';
import { DetectorClusterModule } from '../nest/detector-cluster.module.js';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { StaticModelUrlProvider } from '../sources/static-model-url-provider.js';
import { DetectorCluster } from '../node/detector-cluster.js';

const TIMEOUT = 30_000;
vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: TIMEOUT });

const NAMES = ['heartbeat', 'patches', 'requests', 'resync', 'watch', 'workers'].map(
  (name) => `detector-cluster:${name}`,
);

/** A job of the application itself. */
@Injectable()
class Own {
  @Interval('own', 60_000)
  run(): void {}
}

describe('the timers of DetectorClusterModule', () => {
  const apps: TestingModule[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  /** Counts the reads of the desired state and of the list of workers. */
  async function start(prefix: string, imports: DynamicModule[] = []) {
    const reads = { desired: 0, workers: 0 };
    const redis = process.env.REDIS_URL!;
    const app = await Test.createTestingModule({
      imports: [
        ...imports,
        MasterElectionModule.forRoot({
          redis,
          lockName: `${prefix}election`,
          timing: 'fast',
          isGlobal: true,
        }),
        DetectorClusterModule.forRoot({
          redis,
          keyPrefix: prefix,
          workers: () => {
            reads.workers++;
            return [];
          },
          desiredState: {
            read: async () => {
              reads.desired++;
              return { subscriptions: [], skipped: [] };
            },
          },
          modelUrl: new StaticModelUrlProvider('http://m'),
          timings: { resyncInterval: 1_000 },
        }),
      ],
      providers: [Own],
    })
      .setLogger(silentLogger)
      .compile();
    apps.push(app);
    await app.init();
    const scheduler = app.get(SchedulerRegistry, { strict: false });
    const intervals = () => scheduler.getIntervals().toSorted();
    return { app, scheduler, intervals, reads, cluster: app.get(DetectorCluster, { strict: false }) };
  }

  it.each([
    ['with', () => [ScheduleModule.forRoot()]],
    ['without', () => []],
  ])(
    'are listed %s a ScheduleModule of the application, on every process, until it closes',
    async (_name, imports) => {
      const prefix = `{${randomUUID()}}:`;
      const processes = [await start(prefix, imports()), await start(prefix, imports())];
      for (const { app } of processes)
        await app.get(MasterElection, { strict: false }).waitForElectionComplete();
      for (const { intervals } of processes) expect(intervals()).toEqual([...NAMES, 'own']);
      for (const { app, intervals } of processes) {
        await app.close();
        expect(intervals()).toEqual([]);
      }
    },
  );

  it('do their work on the master, and stop it when an operator deletes them', async () => {
    const { app, cluster, reads, scheduler } = await start(`{${randomUUID()}}:`);
    await app.get(MasterElection, { strict: false }).waitForElectionComplete();
    // The first ones need no timer.
    await eventually('further reads', TIMEOUT, () => reads.desired > 1 && reads.workers > 2);
    await eventually('a fresh state', TIMEOUT, async () => !(await cluster.getFreshness()).stale);
    for (const name of NAMES) scheduler.deleteInterval(name);
    const before = { ...reads };
    await eventually('a stale state', TIMEOUT, async () => (await cluster.getFreshness()).stale);
    // Of each, one read may have been under way.
    expect(reads.desired - before.desired).toBeLessThanOrEqual(1);
    expect(reads.workers - before.workers).toBeLessThanOrEqual(1);
    expect(scheduler.getIntervals()).toEqual(['own']);
    expect(app.get(MasterElection, { strict: false }).getIsMaster()).toBe(true);
  });

  it('run again in the next term of the same process, until the cluster is shut down', async () => {
    const { app, intervals, reads } = await start(`{${randomUUID()}}:`);
    const election = app.get(MasterElection, { strict: false });
    await election.waitForElectionComplete();
    const { term } = election;
    await election.resign();
    await eventually('the next term', TIMEOUT, () => election.getIsMaster() && election.term > term);
    const before = reads.desired;
    // The first one needs no timer.
    await eventually('reads of the next term', TIMEOUT, () => reads.desired > before + 1);
    expect(intervals()).toEqual([...NAMES, 'own']);
    await app.get(MasterSlaveWorkerCluster, { strict: false }).shutdown();
    expect(intervals()).toEqual(['own']);
  });
});
