import type { TestingModule } from '@nestjs/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { InterestRegistry, type DetectionCallback, type DetectionMeta } from '@detector-cluster/delivery';
import { MasterElection } from '@detector-cluster/master-election';
import { MasterSlaveWorkerCluster } from './master-slave-worker-cluster.js';
import { DetectorCluster } from './detector-cluster.js';
import { ScriptedWorker, startProcess } from '../nest/observed-app.fixture.js';
import { eventually, until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const TIMEOUT = 10_000;

/** A callback and the detections it was called with, in order. */
function recorder() {
  const seen: { subscription: string; id: string }[] = [];
  const callback = (
    { subscriptionIdentifier }: { subscriptionIdentifier: string },
    { detectionId }: DetectionMeta,
  ) => void seen.push({ subscription: subscriptionIdentifier, id: detectionId });

  return { seen, callback };
}

describe('listeners that are removed', () => {
  let worker: TestWorker;
  let master: ClusterProcess;
  let other: ClusterProcess;

  beforeAll(async () => {
    worker = await TestWorker.start({ DETECTIONS_PER_SECOND: '20' });
    const options = { prefix: `{${randomUUID()}}:`, workers: [`ws://127.0.0.1:${worker.port}`] };
    master = await ClusterProcess.start(options);
    other = await ClusterProcess.start(options);
    for (const id of ['d1;c1', 'd2;c1', 'd3;c2']) await subscribe(id);
    await other.active(3);
  });
  afterAll(async () => {
    for (const one of [other, master, worker]) await one?.stop();
  });

  const subscribe = (id: string, callback: DetectionCallback = () => undefined) =>
    other.cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', callback);
  const identifiers = async () =>
    (await master.cluster.getSubscriptions()).subscriptions.map((one) => one.subscriptionIdentifier);

  it('are no longer called, each registration separately, and the subscription stays', async () => {
    const { cluster } = other;
    const [removed, kept] = [recorder(), recorder()];
    await cluster.addDetectionListener('d1;c1', removed.callback);
    await cluster.addDetectionListener('d1;c1', removed.callback);
    await cluster.addDetectionListener('d1;c1', kept.callback);
    await until(() => kept.seen.length > 2 && removed.seen.length > 4);

    await cluster.removeDetectionListener('d1;c1', removed.callback);
    const once = removed.seen.length;
    const before = new Set(removed.seen.map(({ id }) => id));
    await until(() => removed.seen.length >= once + 3);
    const after = removed.seen.slice(once).filter(({ id }) => !before.has(id));
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);

    await cluster.removeDetectionListener('d1;c1', removed.callback);
    const [ended, going] = [removed.seen.length, kept.seen.length];
    await until(() => kept.seen.length >= going + 3);
    expect(removed.seen).toHaveLength(ended);
    // Removes once too often, and removes listeners that were never added.
    await cluster.removeDetectionListener('d1;c1', removed.callback);
    await cluster.removeDetectionListener('d3;c2', kept.callback);
    const still = kept.seen.length;
    await until(() => kept.seen.length >= still + 3);
    expect(await identifiers()).toContain('d1;c1');
    await cluster.removeDetectionListener('d1;c1', kept.callback);
  });

  it('can also be listeners of all detections', async () => {
    const [removed, kept] = [recorder(), recorder()];
    for (const { cluster } of [master, other]) {
      cluster.addGlobalDetectionListener(removed.callback);
      cluster.addGlobalDetectionListener(kept.callback);
    }
    await until(() => kept.seen.length > 5 && removed.seen.length > 5);
    for (const { cluster } of [master, other]) cluster.removeGlobalDetectionListener(removed.callback);
    const [ended, going] = [removed.seen.length, kept.seen.length];
    await until(() => kept.seen.length >= going + 5);
    expect(removed.seen).toHaveLength(ended);
    for (const { cluster } of [master, other]) {
      cluster.removeGlobalDetectionListener(kept.callback);
      // Once too often.
      cluster.removeGlobalDetectionListener(kept.callback);
    }
  });

  it('can be those of all subscriptions of a camera, which any process may have requested', async () => {
    const [gone, here, rest] = [recorder(), recorder(), recorder()];
    await other.cluster.addDetectionListener('d1;c1', gone.callback);
    await master.cluster.addDetectionListener('d2;c1', here.callback);
    await other.cluster.addDetectionListener('d3;c2', rest.callback);
    await until(() => [gone, here, rest].every(({ seen }) => seen.length > 0));

    await expect(master.cluster.unsubscribeFromAllWithCameraID('c1;d1')).rejects.toMatchObject({
      name: 'InvalidInputError',
      field: 'cameraIdentifier',
    });
    await master.cluster.unsubscribeFromAllWithCameraID('c1');
    const ended = here.seen.length;
    await until(async () => (await identifiers()).join() === 'd3;c2');
    await until(async () => (await worker.stats()).streams.length === 1);
    const going = rest.seen.length;
    await until(() => rest.seen.length >= going + 3);
    expect(here.seen).toHaveLength(ended);
    // Idempotent. A subscription requested again runs, without the removed listener.
    await master.cluster.unsubscribeFromAllWithCameraID('c1');
    const fresh = recorder();
    await subscribe('d2;c1', fresh.callback);
    await until(() => fresh.seen.length >= 3);
    expect(here.seen).toHaveLength(ended);
  });
});

describe('listeners of a live process that was considered dead', () => {
  let worker: ScriptedWorker;
  let apps: TestingModule[];

  beforeEach(async () => {
    worker = await ScriptedWorker.start();
    const options = { redis: process.env.REDIS_URL!, keyPrefix: `{${randomUUID()}}:`, workers: [worker.url] };
    apps = [await startProcess(options, []), await startProcess(options, [])];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await worker.stop();
  });

  it('are registered again at once', async () => {
    const { interests, keys, redis } = apps[1]!.get(MasterSlaveWorkerCluster);
    // Without the message, the process would write them again after 5 s.
    clearInterval((interests as unknown as { refresh: NodeJS.Timeout }).refresh);
    const processId = apps[1]!.get(MasterElection).getNodeId();
    const { seen, callback } = recorder();
    await apps[1]!
      .get(DetectorCluster)
      .subscribeToCamera('d;c', 'rtsp://x', 'http://m/x', 1, 'cars', callback);
    await eventually('the subscription', TIMEOUT, () => worker.holds('d;c'));
    const marked = JSON.stringify({ version: 1, global: false, subscriptions: ['d;c'], marked: true });
    await redis.hset(keys.interests, processId, marked);
    // As if the presence of the process had ended.
    apps[0]!.get(MasterElection).emit('slave-removed', processId);
    await eventually('the process writes them again', TIMEOUT, async () => {
      const record = await redis.hget(keys.interests, processId);
      return record !== null && record !== marked;
    });
    await eventually('the master knows', TIMEOUT, async () =>
      redis.hexists(keys.interestsSeen, processId).then(Boolean),
    );
    worker.detect('d;c');
    await eventually('called', TIMEOUT, () => seen.length === 1);
  });
});

describe('a listener that comes with a request', () => {
  let worker: ScriptedWorker;
  let apps: TestingModule[];

  beforeEach(async () => {
    // A message on the channel can be lost, or arrive before the subscription.
    vi.spyOn(InterestRegistry.prototype as unknown as { hint(): Promise<void> }, 'hint').mockResolvedValue(
      undefined,
    );
    worker = await ScriptedWorker.start();
    const options = { redis: process.env.REDIS_URL!, keyPrefix: `{${randomUUID()}}:`, workers: [worker.url] };
    apps = [await startProcess(options, []), await startProcess(options, [])];
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(apps.map((app) => app.close()));
    await worker.stop();
  });

  it('gets the very first detection, even if the master does not know it yet', async () => {
    const clusters = apps.map((app) => app.get(DetectorCluster));
    // By then it has read the listeners of all processes.
    await eventually('a master', TIMEOUT, () => worker.sockets.length > 0);
    const all = clusters.map(() => recorder());
    const subscribed = clusters.map((cluster, i) =>
      cluster.subscribeToCamera(`d${i};c`, 'rtsp://x', 'http://m/x', 1, 'cars', all[i]!.callback),
    );
    for (const [i, cluster] of clusters.entries()) {
      await eventually(`d${i};c`, TIMEOUT, async () => {
        const { subscriptions } = await cluster.getSubscriptions();
        const found = subscriptions.find((each) => each.subscriptionIdentifier === `d${i};c`);
        return found?.status === 'active';
      });
      worker.detect(`d${i};c`);
    }
    await eventually('all were called', TIMEOUT, () => all.every(({ seen }) => seen.length > 0));
    expect(await Promise.all(subscribed)).toEqual([true, true]);
  });
});
