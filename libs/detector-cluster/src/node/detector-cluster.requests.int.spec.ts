import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { MasterSlaveWorkerCluster } from './master-slave-worker-cluster.js';
import type { CameraSubscription } from '../sources/subscription-requests.js';
import type { AssignmentsUpdate } from '../operators/watch-assignments.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 10_000;

const request = (subscriptionIdentifier: string, more: Partial<CameraSubscription> = {}) => ({
  subscriptionIdentifier,
  rtspUrl: 'rtsp://x',
  modelUrl: 'http://m/x',
  modelId: 1,
  modelName: 'cars',
  ...more,
});

describe('requests of an application to the cluster', () => {
  let worker: PlainWorker;
  let processes: ClusterProcess[];
  let prefix: string;

  beforeEach(async () => {
    worker = await PlainWorker.start();
    processes = [];
    prefix = `{${randomUUID()}}:`;
  });
  afterEach(async () => {
    for (const each of processes.toReversed()) await each.stop();
    await worker.stop();
  });

  async function join(): Promise<ClusterProcess> {
    const started = await ClusterProcess.start({ prefix, workers: [worker.url] });
    processes.push(started);
    return started;
  }
  const subscribesOf = (id: string) =>
    worker.commands.filter((command) => command === `subscribe ${id}`).length;

  it('subscribe many streams at once, all of them or none', async () => {
    const { cluster } = await join();
    const ids = Array.from({ length: 200 }, (_, i) => `d${i};c${i % 50}`);
    const seen = new Set<string>();
    const callback = ({ subscriptionIdentifier }: { subscriptionIdentifier: string }) =>
      void seen.add(subscriptionIdentifier);
    const broken = [...ids.map((id) => request(id, { callback })), request('d;c', { cropX1: 1, callback })];
    await expect(cluster.subscribe(broken)).rejects.toThrow(/^cropY1: /);
    expect((await cluster.getSubscriptions()).subscriptions).toEqual([]);

    await cluster.subscribe(ids.slice(0, 100).map((id) => request(id, { callback })));
    await processes[0]!.active(100);
    worker.send({
      type: 'imageDetection',
      subscriptionIdentifier: 'd7;c7',
      timestamp: '2026-01-31T12:34:56.789Z',
      data: { detection: {}, modelId: 1, modelName: 'cars' },
    });
    await eventually('the callback has the detection', TIMEOUT, () => seen.has('d7;c7'));
  });

  it('send a camera again to the worker that runs it, from any process', async () => {
    const master = await join();
    const other = await join();
    await master.cluster.subscribe([request('d1;c1'), request('d2;c1'), request('d3;c2')]);
    await master.active(3);
    expect(await other.cluster.resubscribeCamera('c1')).toBe(2);
    await eventually(
      'both are sent again',
      TIMEOUT,
      () => subscribesOf('d1;c1') === 2 && subscribesOf('d2;c1') === 2,
    );
    await master.active(3);
    expect(subscribesOf('d3;c2')).toBe(1);
    expect(worker.commands.filter((command) => command.startsWith('unsubscribe'))).toEqual([]);
    expect(await other.cluster.resubscribeCamera('c9')).toBe(0);
    await expect(other.cluster.resubscribeCamera('a;b')).rejects.toThrow(/^cameraIdentifier: /);
  });

  it('do not cost a second per call without a master', async () => {
    const { cluster, election } = await join();
    await election.stop();
    const begun = performance.now();
    for (let i = 0; i < 10; i++) await cluster.subscribe(request(`d${i};c1`, { callback: () => undefined }));
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect((await cluster.getSubscriptions()).subscriptions).toEqual([]);
    const next = await join();
    await next.active(10);
  });

  it('are followed by an event in every process when partitions change their owner', async () => {
    const first = await join();
    const updates: AssignmentsUpdate[] = [];
    first.cluster.addGlobalDetectionListener(() => undefined);
    first.cluster.on('worker:assignments_changed', (update) => updates.push(update));
    const second = await join();
    second.cluster.addGlobalDetectionListener(() => undefined);
    const owner = second.election.getNodeId();
    await eventually('the first hears of the owner', TIMEOUT, () =>
      updates.some(({ assignments }) => Object.values(assignments).every((one) => one === owner)),
    );
    expect(Object.keys(updates.at(-1)!.assignments)).toHaveLength(32);
    expect((await first.app.get(MasterSlaveWorkerCluster).getClusterState()).assignments).toEqual(
      updates.at(-1)!.assignments,
    );
  });

  it('end with shutdown(), which may be called more than once', async () => {
    const { app, election } = await join();
    await eventually('the worker is connected', TIMEOUT, () => worker.connections === 1);
    const cluster = app.get(MasterSlaveWorkerCluster);
    await election.stop();
    await cluster.shutdown();
    await cluster.shutdown();
    await eventually('the worker is let go', TIMEOUT, () => worker.connections === 0);
    await expect(cluster.getClusterState()).rejects.toThrow();
  });
});
