import {
  DetectorCluster,
  DetectorClusterModule,
  InvalidInputError,
  type DetectionMeta,
} from '@detector-cluster/detector-cluster';
import {
  startApp,
  waitFor,
  type AppProcess,
  workerStats,
  WORKER_SCRIPT,
} from '@detector-cluster/local-cluster';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const subscribe = (
  cluster: DetectorCluster,
  id: string,
  callback: (id: string, meta: DetectionMeta) => void,
) =>
  cluster.subscribeToCamera(
    id,
    'rtsp://user:secret@cameras/1',
    'http://models.example.com/cars.mpta?signature=secret',
    7,
    'cars',
    (detection, meta) => callback(detection.subscriptionIdentifier, meta),
  );

describe('subscribeToCamera', () => {
  let worker: AppProcess;
  let prefix: string;
  const apps: INestApplicationContext[] = [];

  beforeEach(async () => {
    prefix = `{${randomUUID()}}:`;
    worker = await startApp({
      name: 'worker',
      script: WORKER_SCRIPT,
      readyPath: '/health/live',
      env: { DETECTIONS_PER_SECOND: '20' },
    });
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await worker.stop();
  });

  /** One backend process, as far as modules can tell. */
  async function backend(): Promise<{
    app: INestApplicationContext;
    cluster: DetectorCluster;
    election: MasterElection;
  }> {
    class BackendModule {}
    const redis = process.env.REDIS_URL!;
    const app = await NestFactory.createApplicationContext(
      {
        module: BackendModule,
        imports: [
          MasterElectionModule.forRoot({
            redis,
            timing: 'fast',
            lockName: `${prefix}election`,
            isGlobal: true,
          }),
          DetectorClusterModule.forRoot({
            redis,
            keyPrefix: prefix,
            workers: [`ws://127.0.0.1:${worker.port}`],
            secret: 'a-secret-of-at-least-32-characters',
          }),
        ],
      },
      { logger: false },
    );
    apps.push(app);
    const election = app.get(MasterElection);
    await election.waitForElectionComplete(TIMEOUT);
    return { app, cluster: app.get(DetectorCluster), election };
  }

  const streams = async () => (await workerStats(worker.url)).commands.accepted;

  it('brings detections to the process that asked, master or not, and nowhere else', async () => {
    const master = await backend();
    const follower = await backend();
    expect(master.election.getIsMaster()).toBe(true);
    expect(follower.election.getIsMaster()).toBe(false);
    const seen = { master: new Set<string>(), follower: new Set<string>() };

    expect(await subscribe(follower.cluster, 'display-1;cam-1', (id) => seen.follower.add(id))).toBe(true);
    expect(await subscribe(master.cluster, 'display-2;cam-1', (id) => seen.master.add(id))).toBe(true);
    await waitFor('detections in both', TIMEOUT, () =>
      seen.master.size + seen.follower.size >= 2 ? true : null,
    );

    expect(seen).toEqual({ master: new Set(['display-2;cam-1']), follower: new Set(['display-1;cam-1']) });
    const subscriptions = await waitFor('both to be active', TIMEOUT, async () => {
      const answer = await follower.cluster.getSubscriptions();
      return answer.subscriptions.every(({ status }) => status === 'active') ? answer.subscriptions : null;
    });
    expect(subscriptions.map((s) => s.subscriptionIdentifier)).toEqual([
      'display-1;cam-1',
      'display-2;cam-1',
    ]);
    expect(JSON.stringify(subscriptions)).not.toContain('secret');
    const state = await follower.cluster.getState();
    expect(state).toMatchObject({ isMaster: false, totalWorkers: 1, totalSlaves: 1 });
    // No process has a global listener, so none owns a partition.
    expect(state.assignments).toEqual({});
  });

  it('survives its process and the master; unsubscribing ends it', async () => {
    const first = await backend();
    await subscribe(first.cluster, 'display-1;cam-1', () => undefined);
    await waitFor('the stream', TIMEOUT, async () => ((await streams()).subscribe === 1 ? true : null));
    const second = await backend();
    const seen: DetectionMeta[] = [];
    second.cluster.addGlobalDetectionListener((_detection, meta) => seen.push(meta));

    apps.splice(apps.indexOf(first.app), 1);
    await first.app.close();
    await waitFor('the other process as master', TIMEOUT, () =>
      second.election.getIsMaster() ? true : null,
    );
    const before = seen.length;
    await waitFor('detections there', TIMEOUT, () => (seen.length > before + 10 ? true : null));
    expect((await streams()).subscribe).toBe(1);
    expect(new Set(seen.map(({ detectionId }) => detectionId)).size).toBe(seen.length);

    expect(await second.cluster.unsubscribeFromCamera('display-1;cam-1')).toBe(true);
    expect(await second.cluster.unsubscribeFromCamera('display-1;cam-1')).toBe(true);
    await waitFor('the end of the stream', TIMEOUT, async () =>
      (await streams()).unsubscribe === 1 ? true : null,
    );
    expect((await second.cluster.getSubscriptions()).subscriptions).toEqual([]);
  });

  it('is pending without a worker, runs when one comes, and can be withdrawn by camera', async () => {
    await worker.crash();
    const { cluster } = await backend();
    const online = new Promise<string>((resolve) => cluster.once('worker:online', ({ url }) => resolve(url)));
    await subscribe(cluster, 'display-1;cam-1', () => undefined);
    await subscribe(cluster, 'display-2;cam-1', () => undefined);
    await waitFor('both to be pending', TIMEOUT, async () => {
      const { subscriptions } = await cluster.getSubscriptions();
      return subscriptions.length === 2 && subscriptions.every(({ status }) => status === 'pending')
        ? true
        : null;
    });
    await worker.start();
    expect(await online).toBe(`ws://127.0.0.1:${worker.port}`);
    await waitFor('both to be active', TIMEOUT, async () => {
      const { subscriptions } = await cluster.getSubscriptions();
      return subscriptions.every(({ status }) => status === 'active') ? true : null;
    });
    await cluster.unsubscribeFromAllWithCameraID('cam-1');
    await waitFor('both to be gone', TIMEOUT, async () => {
      const { subscriptions } = await cluster.getSubscriptions();
      return subscriptions.length === 0 ? true : null;
    });
  });

  it('refuses bad input by name and stores nothing', async () => {
    const { cluster } = await backend();
    await expect(subscribe(cluster, 'display-1', () => undefined)).rejects.toThrow(InvalidInputError);
    await expect(subscribe(cluster, 'display\n1;cam-1', () => undefined)).rejects.toMatchObject({
      field: 'subscriptionIdentifier (displayId)',
    });
    await expect(
      cluster.subscribeToCamera('d;c', 'ftp://x', 'http://m/x', 1, 'cars', () => undefined),
    ).rejects.toMatchObject({ field: 'rtspUrl' });
    await expect(
      cluster.subscribeToCamera('d;c', 'rtsp://x', 'http://m/x', 1, 'cars', undefined as never),
    ).rejects.toMatchObject({ field: 'callback' });
    await expect(cluster.unsubscribeFromCamera('d;c;e')).rejects.toThrow(InvalidInputError);
    await expect(cluster.unsubscribeFromAllWithCameraID('a;b')).rejects.toMatchObject({
      field: 'cameraIdentifier',
    });
    expect((await cluster.getSubscriptions()).subscriptions).toEqual([]);
  });
});
