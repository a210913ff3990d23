import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import type { ActualCameraSubscription } from '@detector-cluster/detector-cluster';
import type { Page } from '../http/pagination.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';
import type { Impact, PutResult, Removal } from './entries.schema.js';

const NOTHING: Impact = {
  starts: [],
  restarts: [],
  stops: [],
  otherSteps: 0,
  skipped: [],
  skippedTotal: 0,
  complete: true,
  problem: null,
};

describe('the impact of a change', () => {
  let database: TestDatabase;
  let worker: TestWorker;
  let api: TestApp;
  let url: string;
  let playlistId: number;

  beforeAll(async () => {
    [database, worker] = await Promise.all([createTestDatabase(), TestWorker.start()]);
    url = `ws://127.0.0.1:${worker.port}`;
    api = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      DETECTOR_WORKERS: url,
    });
    const add = async (kind: string, body: object) =>
      (await api.send<{ id: number }>('POST', `/api/${kind}`, body)).body.id;
    const modelId = await add('models', { name: 'm', fileKey: 'm.mpta' });
    playlistId = await add('playlists', { name: 'p', modelId });
    await add('cameras', { cameraIdentifier: 'cam', rtspUrl: 'rtsp://u:pw@192.0.2.1/s' });
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await worker?.stop();
    await database?.drop();
  });

  const put = (kind: string, items: readonly object[], query = '') =>
    api.send<PutResult>('PUT', `/api/${kind}${query}`, { items }, { 'if-match': '*' });
  const impactOf = async (kind: string, items: readonly object[]) =>
    (await put(kind, items, '?dryRun=true')).body.impact;
  const removalOf = async (path: string) =>
    (await api.send<Removal>('GET', `/api/${path}/removal`)).body.impact;
  const statuses = async () => {
    const { body } = await api.send<Page<ActualCameraSubscription>>('GET', '/api/cluster/subscriptions');
    return body.items.map(({ subscriptionIdentifier: id, status }) => `${id} ${status}`).toSorted();
  };

  it(
    'is the plan of the master, and matches the later result',
    async () => {
      const displays = ['d1', 'd2'].map((displayId) => ({ displayId, cameraIdentifier: 'cam', playlistId }));
      await eventually(async () => {
        expect(await impactOf('displays', [...displays, { displayId: 'd3' }])).toEqual({
          ...NOTHING,
          starts: [{ workerUrl: url, subscriptions: 2 }],
          skipped: [{ displayId: 'd3', reason: 'no-camera', detail: expect.any(String) }],
          skippedTotal: 1,
        });
      });
      expect(await statuses()).toEqual([]);
      await put('displays', displays);
      await eventually(async () => expect(await statuses()).toEqual(['d1;cam active', 'd2;cam active']));

      const camera = { cameraIdentifier: 'cam' };
      const two = [{ workerUrl: url, subscriptions: 2 }];
      expect(await impactOf('cameras', [{ ...camera, rtspUrl: 'rtsp://u:other@192.0.2.1/s' }])).toEqual({
        ...NOTHING,
        restarts: two,
      });
      expect(await impactOf('cameras', [{ ...camera, rtspUrl: 'rtsp://u:pw@192.0.2.1/s' }])).toEqual(NOTHING);
      expect(await impactOf('displays', [{ displayId: 'd1', name: 'Hall' }])).toEqual(NOTHING);
      const withoutDisplays = {
        ...NOTHING,
        stops: two,
        skipped: [
          { displayId: 'd1', reason: expect.any(String), detail: expect.any(String) },
          { displayId: 'd2', reason: expect.any(String), detail: expect.any(String) },
        ],
        skippedTotal: 2,
      };
      expect(await removalOf('cameras/cam')).toEqual(withoutDisplays);
      expect(await removalOf(`playlists/${playlistId}`)).toEqual(withoutDisplays);
      expect(await removalOf('displays/d1')).toEqual({
        ...NOTHING,
        stops: [{ ...two[0]!, subscriptions: 1 }],
      });
      expect(await statuses()).toEqual(['d1;cam active', 'd2;cam active']);

      await api.send('DELETE', '/api/cameras/cam?detach=true');
      await eventually(async () => expect(await statuses()).toEqual([]));
    },
    3 * TIMEOUT,
  );
});
