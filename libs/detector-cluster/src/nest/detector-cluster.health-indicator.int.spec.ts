import { randomUUID } from 'node:crypto';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { MasterElection } from '@detector-cluster/master-election';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import type { TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { DetectorCluster } from '../node/detector-cluster.js';
import { ScriptedWorker, startProcess } from './observed-app.fixture.js';
import { DetectorClusterHealthIndicator } from './detector-cluster.health-indicator.js';
import { DetectorClusterHealthModule } from './detector-cluster-health.module.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const TIMEOUT = 20_000;

const subscribe = (cluster: DetectorCluster) =>
  cluster.subscribeToCamera('d;c', 'rtsp://192.0.2.1/s', 'http://m/x', 1, 'cars', () => undefined);

describe('health indicator of the cluster', () => {
  let server: RedisService;
  let keyPrefix: string;
  let worker: ScriptedWorker;
  let apps: TestingModule[];
  beforeEach(async () => {
    server = await startRedis();
    keyPrefix = `{${randomUUID()}}:`;
    worker = await ScriptedWorker.start();
    apps = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await worker.stop();
    await server.stop();
  });

  const start = async () => {
    const app = await startProcess({ redis: server.url, keyPrefix, workers: [worker.url] }, [
      DetectorClusterHealthModule,
      TerminusModule.forRoot({ logger: false }),
    ]);
    apps.push(app);
    const indicator = app.get(DetectorClusterHealthIndicator);
    const health = async (options?: Parameters<typeof indicator.isHealthy>[1]) =>
      (await indicator.isHealthy('cluster', options)).cluster;
    return {
      app,
      health,
      cluster: app.get(DetectorCluster),
      isMaster: app.get(MasterElection).getIsMaster(),
    };
  };

  it('reports the same on the master and on another process, also when all workers go', async () => {
    const first = await start();
    const second = await start();
    expect([first.isMaster, second.isMaster]).toEqual([true, false]);
    await subscribe(second.cluster);
    for (const [{ health }, role] of [
      [first, 'master'],
      [second, 'slave'],
    ] as const)
      await eventually(`the ${role} is up`, TIMEOUT, async () => {
        const found = await health();
        return (
          found.status === 'up' &&
          found.role === role &&
          found.workers?.Ready === 1 &&
          found.subscriptions?.active === 1 &&
          found.desired === 1 &&
          found.redis === 'readable' &&
          found.backlog === 0 &&
          found.unreadableFor === null &&
          found
        );
      });

    await worker.stop();
    for (const { app, health } of [first, second]) {
      // The time runs from the first call that finds none.
      const degraded = await eventually('degraded', TIMEOUT, async () => {
        const found = await health({ maxWithoutWorkers: 0 });
        return found.status === 'degraded' && found;
      });
      expect(degraded).toMatchObject({
        reason: expect.stringMatching(/^no worker has been ready for \d/),
        workers: { Ready: 0 },
      });
      expect(await health()).toMatchObject({ status: 'up' });
      const check = (requireWorkers: boolean) =>
        app
          .get(HealthCheckService, { strict: false })
          .check([
            () =>
              app
                .get(DetectorClusterHealthIndicator)
                .isHealthy('cluster', { requireWorkers, maxWithoutWorkers: 0 }),
          ]);
      expect(await check(false)).toMatchObject({ status: 'degraded' });
      await expect(check(true)).rejects.toMatchObject({ status: 503 });
    }
  });

  it('needs no worker while nothing is desired, and refuses limits that are not durations', async () => {
    const { health } = await start();
    await worker.stop();
    await eventually('the worker is gone', TIMEOUT, async () => (await health()).workers?.Ready === 0);
    expect(await health({ maxWithoutWorkers: 0, requireWorkers: true })).toMatchObject({
      status: 'up',
      desired: 0,
    });
    for (const name of ['maxWithoutWorkers', 'maxUnreadable'])
      await expect(health({ [name]: -1 })).rejects.toThrow(
        new RangeError(`${name} must be a number of milliseconds from 0 on, not -1`),
      );
  });

  it('is down while Redis is unavailable, still answers, and recovers', async () => {
    const { health } = await start();
    await eventually('up', TIMEOUT, async () => {
      const { status, workers } = await health();
      return status === 'up' && workers?.Ready === 1;
    });
    server.pause();
    try {
      const down = await eventually('down', TIMEOUT, async () => {
        const found = await health();
        return found.status === 'down' && found;
      });
      expect(down).toMatchObject({
        reason: 'Redis cannot be read',
        redis: 'unreadable',
        workers: null,
        subscriptions: null,
        desired: null,
      });
      await eventually('unreadable', TIMEOUT, async () => ((await health()).unreadableFor ?? 0) > 0);
      await eventually(
        'the connections of the former master',
        TIMEOUT,
        async () => (await health()).retiredConnections === 1,
      );
    } finally {
      server.resume();
    }
    await eventually('up again', TIMEOUT, async () => {
      const { status, unreadableFor } = await health();
      return status === 'up' && unreadableFor === null;
    });
  });

  it('reports an outage from the end of the connection until the first read after a restart of Redis', async () => {
    const { app, health } = await start();
    await eventually('up', TIMEOUT, async () => {
      const { status, unreadableFor } = await health();
      return status === 'up' && unreadableFor === null;
    });
    const restarted = server.restart();
    const cluster = app.get(MasterSlaveWorkerCluster);
    // The next dial comes by a timer: the outage is seen before it.
    while (cluster.unreadableFor() === null) await new Promise(setImmediate);
    await restarted;
    await eventually('up again', TIMEOUT, async () => {
      const { status, unreadableFor } = await health();
      return status === 'up' && unreadableFor === null;
    });
  });
});
