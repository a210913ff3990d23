import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DetectorCluster } from '../node/detector-cluster.js';
import { DetectorClusterModule } from '../nest/detector-cluster.module.js';
import type { DetectorClusterOptions } from '../options/detector-cluster-options.js';
import { PlainWorker } from './plain-worker.fixture.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;

const prefix = () => `{${randomUUID()}}:`;
const count = (worker: PlainWorker) => worker.streams.size;

/** Events are written a moment after what they record: by type, or by type and worker. */
const recorded = (cluster: DetectorCluster, wanted: readonly string[]) =>
  eventually(`the events ${wanted.join(', ')}`, TIMEOUT, async () => {
    const events = await cluster.listEvents();
    const names = new Set(
      events.flatMap((event) => ['url' in event ? `${event.type} ${event.url}` : '', event.type]),
    );
    return wanted.every((name) => names.has(name));
  });

describe('workers that change at run time', () => {
  const workers: PlainWorker[] = [];
  const apps: INestApplicationContext[] = [];

  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });

  async function startWorkers(count: number): Promise<PlainWorker[]> {
    const started = await Promise.all(Array.from({ length: count }, () => PlainWorker.start()));
    workers.push(...started);
    return started;
  }

  async function startApp(
    prefix: string,
    list: DetectorClusterOptions['workers'] & {},
    options: Partial<DetectorClusterOptions> = {},
  ): Promise<DetectorCluster> {
    const redis = process.env.REDIS_URL!;
    class TestModule {}
    const app = await NestFactory.createApplicationContext(
      {
        module: TestModule,
        imports: [
          MasterElectionModule.forRoot({
            redis,
            timing: 'fast',
            lockName: `${prefix}election`,
            isGlobal: true,
          }),
          DetectorClusterModule.forRoot({ redis, keyPrefix: prefix, workers: list, ...options }),
        ],
      },
      { logger: ['error'] },
    );
    apps.push(app);
    await app.get(MasterElection).waitForElectionComplete();
    return app.get(DetectorCluster);
  }

  const ids = Array.from({ length: 8 }, (_, i) => `d${i};c${i}`);

  async function subscribeAll(cluster: DetectorCluster): Promise<void> {
    for (const id of ids)
      await cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await allActive(cluster);
  }

  const allActive = (cluster: DetectorCluster) =>
    eventually('everything to be active', TIMEOUT, async () => {
      const { subscriptions } = await cluster.getSubscriptions();
      return subscriptions.length === ids.length && subscriptions.every(({ status }) => status === 'active');
    });

  it('connects to a worker only at an address in an allowed network, also by name', async () => {
    const [worker] = (await startWorkers(1)) as [PlainWorker];
    const url = worker.url.replace('127.0.0.1', 'localhost');
    const refused = await startApp(prefix(), [url], { networks: ['10.0.0.0/8'] });
    const [{ error }] = (await once(refused, 'worker:websocket_error')) as [{ error: string }];
    expect(error).toContain('localhost: its address must be in one of the networks');
    const allowed = await startApp(prefix(), [url], { networks: ['127.0.0.0/8', '::1'] });
    await once(allowed, 'worker:connected');
  });

  it('empties a worker that is drained, gives a cordoned one nothing, and takes both back', async () => {
    const started = await startWorkers(3);
    const cluster = await startApp(
      prefix(),
      started.map(({ url }) => url),
    );
    const drained = new Promise((resolve) => cluster.once('worker:drained', resolve));
    await eventually('all workers to be ready', TIMEOUT, async () => {
      const { workers: seen } = await cluster.getState();
      return seen.length === 3 && seen.every(({ state }) => state === 'Ready');
    });
    await subscribeAll(cluster);
    // A worker that has loaded the model is preferred, so one of them may have no subscription.
    const [a, b, c] = started.sort((one, other) => count(other) - count(one)) as [
      PlainWorker,
      PlainWorker,
      PlainWorker,
    ];
    const had = count(a);
    expect(had).toBeGreaterThan(0);

    await cluster.cordonWorker(c.url);
    await cluster.drainWorker(a.url);
    expect(await drained).toEqual({ url: a.url });
    expect([count(a), count(b), count(c)]).toEqual([0, count(b), 8 - count(b)]);
    expect(a.commands.filter((command) => command.startsWith('unsubscribe'))).toHaveLength(had);
    expect(c.commands.filter((command) => command.startsWith('unsubscribe'))).toEqual([]);
    expect(c.commands.filter((command) => command.startsWith('subscribe'))).toHaveLength(count(c));
    await eventually('their standing', TIMEOUT, async () => {
      const standing = (await cluster.getState()).workers.map((worker) => [worker.url, worker.standing]);
      const of = Object.fromEntries(standing) as Record<string, string>;
      return of[a.url] === 'draining' && of[b.url] === 'open' && of[c.url] === 'cordoned';
    });

    for (const { url } of [a, c]) await cluster.uncordonWorker(url);
    await cluster.rebalanceWorkers();
    const { balance, held } = await cluster.plan({ dryRun: true });
    expect(balance.rebalancing).toBe(true);
    expect(held.map(({ heldBy }) => heldBy)).toContain('settling');
    await recorded(cluster, ['worker-online', 'worker-drained', 'camera-moved']);
  });

  it('a drain outlives the master that began it, and no stream stops before it runs elsewhere', async () => {
    const [a, b] = (await startWorkers(2)) as [PlainWorker, PlainWorker];
    const shared = prefix();
    const first = await startApp(shared, [a.url, b.url]);
    await subscribeAll(first);
    const second = await startApp(shared, [a.url, b.url]);
    const gaps: string[] = [];
    const watch = setInterval(() => {
      for (const id of ids) if (!a.streams.has(id) && !b.streams.has(id)) gaps.push(id);
    }, 1);
    try {
      await second.drainWorker(a.url);
      await apps.shift()!.close();
      await eventually('the worker to be empty', TIMEOUT, () => count(a) === 0);
    } finally {
      clearInterval(watch);
    }
    await allActive(second);
    expect(gaps).toEqual([]);
    expect(count(b)).toBe(8);
    // The second master sends again what no report had confirmed under the first: once, and to the same worker.
    expect(b.commands.filter((command) => !command.startsWith('subscribe '))).toEqual([]);
    for (const id of ids)
      expect(b.commands.filter((command) => command.endsWith(` ${id}`)).length).toBeLessThanOrEqual(2);
  });

  it('connects to a worker that is added, and drains one that is left out before it lets it go', async () => {
    const [a, b] = (await startWorkers(2)) as [PlainWorker, PlainWorker];
    let list = [a.url];
    const shared = prefix();
    const cluster = await startApp(shared, () => list);
    const other = await startApp(shared, () => list);
    await subscribeAll(cluster);
    expect(count(a)).toBe(8);

    list = [b.url];
    // The other process has had no reason to read the list yet.
    for (const call of ['drainWorker', 'cordonWorker', 'uncordonWorker'] as const)
      await expect(other[call](a.url)).rejects.toMatchObject({ code: 'UNKNOWN_WORKER', url: a.url });
    await expect(other.uncordonWorker(b.url)).resolves.toBe(true);
    await cluster.rebalanceWorkers();
    await eventually('everything to have moved', TIMEOUT, () => count(b) === 8 && count(a) === 0);
    await eventually('the old worker to be let go', TIMEOUT, () => a.connections === 0);
    await allActive(cluster);
    await eventually('the old worker to be gone from the state', TIMEOUT, async () => {
      const { workers: known } = await cluster.getState();
      return known.length === 1 && known[0]!.url === b.url;
    });
    const commands = a.commands.length;
    await recorded(cluster, [`worker-added ${b.url}`, `worker-removed ${a.url}`]);

    list = ['http://nonsense'];
    await cluster.rebalanceWorkers();
    expect(count(b)).toBe(8);
    expect(a.commands).toHaveLength(commands);
  });

  it('shows a new name of a worker on every process, over the same connection', async () => {
    const [a, b] = (await startWorkers(2)) as [PlainWorker, PlainWorker];
    let name = 'Rack 1';
    const list = () => [{ url: a.url, name }, b.url];
    const shared = prefix();
    const cluster = await startApp(shared, list);
    const other = await startApp(shared, list);
    await subscribeAll(cluster);
    const commands = a.commands.length;
    const named = (wanted: string) =>
      eventually(`the name ${wanted}`, TIMEOUT, async () => {
        const states = await Promise.all([cluster.getState(), other.getState()]);
        return states.every(({ workers: seen }) =>
          seen.every((worker) => worker.name === (worker.url === a.url ? wanted : undefined)),
        );
      });
    await named('Rack 1');

    name = 'Rack 2';
    await cluster.regenerate();
    await named('Rack 2');
    const { scores } = await other.plan({ dryRun: true });
    expect(new Map(scores.map((score) => [score.url, score.name]))).toEqual(
      new Map([
        [a.url, 'Rack 2'],
        [b.url, undefined],
      ]),
    );
    expect(a.commands).toHaveLength(commands);
    expect(a.connections).toBe(1);
  });
});
