import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { OnDetection, OnWorkerOffline } from './cluster-handler.js';
import { DetectorCluster } from '../node/detector-cluster.js';
import { CameraNotHostedError } from '../operators/camera-image.error.js';
import type { DetectionMeta, ImageDetectionResponse } from '@detector-cluster/delivery';
import { NoMasterError } from '../shared/master-errors.js';
import { DetectorClusterTestingModule, FakeDetectorCluster } from './testing.js';

const request = {
  subscriptionIdentifier: 'd1;c1',
  rtspUrl: 'rtsp://10.0.0.9/main',
  modelUrl: 'https://m/x.mpta',
  modelId: 1,
  modelName: 'cars',
};

@Injectable()
class Plates {
  readonly seen: string[] = [];
  readonly lost: string[] = [];
  failing = 0;

  @OnDetection()
  store({ data }: ImageDetectionResponse, { attempt, detectionId, redelivered }: DetectionMeta): void {
    if (this.failing-- > 0) throw new Error('the database is unavailable');
    this.seen.push(`${detectionId} ${attempt} ${redelivered} ${data.detection?.licensePlateText}`);
  }

  @OnWorkerOffline()
  onOffline({ url }: { url: string }): void {
    this.lost.push(url);
  }
}

describe('FakeDetectorCluster', () => {
  let app: INestApplicationContext | undefined;
  afterEach(() => app?.close());

  async function start(): Promise<{ cluster: FakeDetectorCluster; plates: Plates }> {
    const module = await Test.createTestingModule({
      imports: [DetectorClusterTestingModule.register({ isGlobal: true })],
      providers: [Plates],
    }).compile();
    app = await module.init();
    return { cluster: app.get(FakeDetectorCluster), plates: app.get(Plates) };
  }

  it('is the DetectorCluster of the application, and calls decorated methods', async () => {
    const { cluster, plates } = await start();
    expect(app!.get(DetectorCluster)).toBe(cluster);
    const results: unknown[] = [];
    cluster.on('worker:detection_result', (event) => results.push(event));
    const { detectionId, called } = await cluster.deliver({
      subscriptionIdentifier: 'd1;c1',
      detection: { licensePlateText: 'ABC' },
    });
    await cluster.deliver({ subscriptionIdentifier: 'd1;c1', detection: null, detectionId });
    expect(called).toBe(2);
    expect(plates.seen).toEqual([`${detectionId} 0 false ABC`, `${detectionId} 0 true undefined`]);
    expect(results).toEqual([
      { url: 'cluster-managed', cameraId: 'd1;c1', detections: 1 },
      { url: 'cluster-managed', cameraId: 'd1;c1', detections: 0 },
    ]);
    cluster.setWorker('ws://w');
    cluster.setWorker('ws://w', { online: false });
    expect(plates.lost).toEqual(['ws://w']);
  });

  it('calls a callback that fails three times more, and keeps the detection as a dead letter to replay', async () => {
    const { cluster, plates } = await start();
    plates.failing = 2;
    const late = await cluster.deliver({ subscriptionIdentifier: 'd1;c1', detection: {} });
    expect(late.errors.map(({ message }) => message)).toEqual(Array(2).fill('the database is unavailable'));
    expect(plates.seen).toEqual([`${late.detectionId} 2 true undefined`]);

    plates.failing = 4;
    const dead = await cluster.deliver({ subscriptionIdentifier: 'd1;c1', detection: { carBrand: 'x' } });
    expect(dead.errors).toHaveLength(4);
    const letters = await cluster.listDeadLetters();
    expect(letters).toEqual(dead.deadLetters);
    expect(letters).toMatchObject([{ audience: 'owner', attempts: 4, subscriptionIdentifier: 'd1;c1' }]);
    expect(await cluster.replayDeadLetters('all')).toEqual({ replayed: 1, left: [], gone: [] });
    expect(plates.seen.at(-1)).toBe(`${dead.detectionId} 0 true undefined`);
    expect(await cluster.listDeadLetters()).toEqual([]);
  });

  it('lists recorded actions before and after an event', async () => {
    const cluster = new FakeDetectorCluster();
    for (const target of ['a', 'b', 'c']) await cluster.recordAction({ by: 'anna', action: 'drain', target });
    const [a, b, c] = await cluster.listEvents();
    expect(await cluster.listEvents({ limit: 2 })).toEqual([b, c]);
    expect(await cluster.listEvents({ before: c!.eventId, limit: 1 })).toEqual([b]);
    expect(await cluster.listEvents({ after: a!.eventId, limit: 1 })).toEqual([b]);
  });

  it('keeps subscriptions, and checks them as the real one does', async () => {
    const cluster = new FakeDetectorCluster();
    const seen: string[] = [];
    const callback = ({ subscriptionIdentifier }: ImageDetectionResponse) =>
      void seen.push(subscriptionIdentifier);
    await cluster.subscribe([
      { ...request, callback },
      { ...request, subscriptionIdentifier: 'd2;c1' },
    ]);
    expect((await cluster.getSubscriptions()).subscriptions).toMatchObject([
      { subscriptionIdentifier: 'd1;c1', status: 'pending', reason: 'no-worker' },
      { subscriptionIdentifier: 'd2;c1', status: 'pending' },
    ]);
    cluster.setWorker('ws://w');
    expect((await cluster.getSubscriptions()).subscriptions[0]).toMatchObject({ status: 'active' });
    expect((await cluster.deliver({ subscriptionIdentifier: 'd2;c1', detection: {} })).called).toBe(0);
    await cluster.deliver({ subscriptionIdentifier: 'd1;c1', detection: {} });
    expect(seen).toEqual(['d1;c1']);
    const secret = { ...request, rtspUrl: 'rtsp://user:hunter2@10.0.0.9/main' };
    await expect(new FakeDetectorCluster().subscribe(secret)).resolves.toBe(true);
    await cluster.unsubscribeFromAllWithCameraID('c1');
    expect(cluster.requested).toEqual([]);
    expect((await cluster.deliver({ subscriptionIdentifier: 'd1;c1', detection: {} })).called).toBe(0);
    expect(cluster.triggers).toEqual(['subscription.requested 2', 'camera.withdrawn c1']);
  });

  it('plays the master, Redis, workers and their cameras as the test sets them', async () => {
    const cluster = new FakeDetectorCluster();
    cluster.setWorker('ws://w');
    expect(await cluster.rebalanceWorkers()).toBe(true);
    expect(await cluster.setWorkerStanding('ws://w', 'draining')).toMatchObject({ changed: true });
    expect((await cluster.getState()).workers).toMatchObject([{ url: 'ws://w', standing: 'draining' }]);
    cluster.setMaster(false);
    await expect(cluster.rebalanceWorkers()).rejects.toBeInstanceOf(NoMasterError);
    expect(await cluster.getFreshness()).toEqual({ asOf: null, stale: true });
    cluster.fail(new Error('connection closed'));
    await expect(cluster.subscribe(request)).rejects.toThrow('connection closed');
    cluster.fail(null);

    await expect(cluster.getCameraImage('c1')).rejects.toBeInstanceOf(CameraNotHostedError);
    cluster.setCameraImage('c1', Buffer.from('jpeg'));
    expect(String(await cluster.getCameraImage('c1'))).toBe('jpeg');
    expect(await cluster.patchSession(7, { plate: 'A' })).toMatchObject({ success: false });
    cluster.onPatchSession(({ sessionId }) => ({ success: sessionId === 7 }));
    expect(await cluster.patchSession(7, { plate: 'A' })).toEqual({ sessionId: 7, success: true });
    await cluster.setSessionId('d1;c1', 7);
    expect(cluster.sessionOf('d1')).toBe(7);
    expect(cluster.triggers).toEqual(['session d1']);
  });
});
