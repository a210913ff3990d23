import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { useTestApp } from '../test-app.fixture.js';
import type { SkippedDisplay, ActualCameraSubscription } from '@detector-cluster/detector-cluster';
import type { Page } from '../http/pagination.js';

describe('the desired state of the cluster', () => {
  const api = useTestApp({
    // No process listens there.
    DETECTOR_WORKERS: 'ws://user:hunter2@127.0.0.1:9',
  });

  beforeAll(async () => {
    await eventually(async () => {
      expect((await api.send('GET', '/health/ready')).body).toMatchObject({ status: 'ok', isMaster: true });
    });
  }, 2 * TIMEOUT);

  const subscriptions = async (query = '') =>
    (await api.send<Page<ActualCameraSubscription>>('GET', `/api/cluster/subscriptions${query}`)).body;
  const skipped = async (query = '') =>
    (await api.send<Page<SkippedDisplay>>('GET', `/api/cluster/skipped-displays${query}`)).body;

  it(
    'follows writes to the database',
    async () => {
      await api.send('POST', '/api/cameras', {
        cameraIdentifier: 'cam',
        rtspUrl: 'rtsp://u:hunter2@192.0.2.1/s',
      });
      const model = await api.send<{ id: number }>('POST', '/api/models', { name: 'm', fileKey: 'm.mpta' });
      const playlist = await api.send<{ id: number }>('POST', '/api/playlists', {
        name: 'p',
        modelId: model.body.id,
      });
      await api.send('POST', '/api/displays', {
        displayId: 'with-all',
        cameraIdentifier: 'cam',
        playlistId: playlist.body.id,
      });
      await api.send('POST', '/api/displays', { displayId: 'without-playlist', cameraIdentifier: 'cam' });
      await eventually(async () => {
        expect(await subscriptions()).toEqual({
          items: [
            expect.objectContaining({
              subscriptionIdentifier: 'with-all;cam',
              assignedWorkerUrl: '',
              status: expect.stringMatching(/^(pending|failed|recovering)$/),
              reason: expect.stringMatching(/./),
            }),
          ],
          nextCursor: null,
        });
        expect(await skipped()).toEqual({
          items: [
            expect.objectContaining({
              displayId: 'without-playlist',
              cameraId: 'cam',
              reason: expect.stringMatching(/playlist/),
            }),
          ],
          nextCursor: null,
        });
      });
      const [only] = (await subscriptions()).items;
      for (const found of [`status=${only!.status}`, 'text=WITH-ALL', 'worker=&sort=-since'])
        expect((await subscriptions(`?${found}`)).items).toHaveLength(1);
      for (const other of ['status=active', 'text=nowhere', 'worker=nowhere'])
        expect((await subscriptions(`?${other}`)).items).toEqual([]);
      expect((await skipped('?reason=playlist')).items).toHaveLength(1);
      expect((await skipped('?reason=camera')).items).toEqual([]);
      expectProblem(await api.send('GET', '/api/cluster/subscriptions?status=gone'), 422);

      await api.send('PATCH', '/api/displays/with-all', { cameraIdentifier: null });
      await eventually(async () => {
        expect((await subscriptions()).items).toEqual([]);
      });
    },
    3 * TIMEOUT,
  );

  it('shows no credentials', async () => {
    const answers = await Promise.all(
      ['/api/cluster/state', '/api/cluster/subscriptions', '/api/cameras'].map((path) =>
        api.send('GET', path),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('hunter2');
    }
  });
});
