import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import type { SkippedDisplay, ActualCameraSubscription } from '@detector-cluster/detector-cluster';
import type { Page } from './pagination.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { startTestApp, type Answer, type TestApp } from '../test-app.fixture.js';

const TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)//',
  '{{constructor.constructor("alert(1)")()}}',
  "' OR '1'='1",
  '%3Cscript%3E',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
];

/** A browser must treat text of others only as data. */
function expectData(answer: Answer<unknown>): void {
  expect(answer.headers.get('content-type')).toMatch(/^application\/(problem\+)?json; charset=utf-8$/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
}

describe('hostile text in names and identifiers', () => {
  let database: TestDatabase;
  let worker: TestWorker;
  let api: TestApp;
  let playlistId: number;

  beforeAll(async () => {
    [database, worker] = await Promise.all([createTestDatabase(), TestWorker.start()]);
    api = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
    });
    const model = await api.send<{ id: number }>('POST', '/api/models', { name: TEXTS[0], fileKey: 'k' });
    const playlist = await api.send<{ id: number }>('POST', '/api/playlists', {
      name: TEXTS[1],
      modelId: model.body.id,
    });
    playlistId = playlist.body.id;
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await worker?.stop();
    await database?.drop();
  });

  it.each(TEXTS)('%s is stored and comes back as it is', async (text) => {
    const camera = await api.send('POST', '/api/cameras', {
      cameraIdentifier: text,
      rtspUrl: 'rtsp://192.0.2.1/s',
    });
    const display = await api.send('POST', '/api/displays', {
      displayId: text,
      name: text,
      cameraIdentifier: text,
      playlistId,
    });
    const stored = await api.send('GET', `/api/displays/${encodeURIComponent(text)}`);
    const session = await api.send(
      'PUT',
      `/api/cluster/subscriptions/${encodeURIComponent(`${text};${text}`)}/session`,
      { sessionId: 7 },
    );
    expect([camera.status, display.status, stored.status, session.status]).toEqual([201, 201, 200, 200]);
    expect(stored.body).toMatchObject({ displayId: text, name: text, cameraIdentifier: text });
    expect(session.body).toEqual({ subscriptionIdentifier: `${text};${text}`, sessionId: 7 });
    for (const answer of [camera, display, stored, session]) expectData(answer);
  });

  it('appears in problems unchanged', async () => {
    for (const text of TEXTS) {
      const unknown = `no ${text}`;
      const answers = await Promise.all([
        api.send('GET', `/api/cameras/${encodeURIComponent(unknown)}`),
        api.send('POST', `/api/cluster/workers/${encodeURIComponent(unknown)}/drain`, {}),
        api.send('POST', '/api/cameras', { cameraIdentifier: text, rtspUrl: text }),
        api.send('POST', '/api/models', { name: 'm', fileKey: 'k', [text]: 1 }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 422, 422]);
      for (const answer of answers) expectData(answer);
    }
  });

  it(
    'runs like any other subscription',
    async () => {
      const wanted = TEXTS.map((text) => `${text};${text}`).toSorted();
      await eventually(async () => {
        const answer = await api.send<Page<ActualCameraSubscription>>('GET', '/api/cluster/subscriptions');
        expectData(answer);
        const subscriptions = answer.body.items;
        const skipped = await api.send<Page<SkippedDisplay>>('GET', '/api/cluster/skipped-displays');
        expect(skipped.body.items).toEqual([]);
        expect(subscriptions.map((one) => one.subscriptionIdentifier).toSorted()).toEqual(wanted);
        expect(new Set(subscriptions.map(({ status }) => status))).toEqual(new Set(['active']));
      });
      for (const id of wanted) {
        const answer = await api.send('GET', `/api/cluster/subscriptions/${encodeURIComponent(id)}/explain`);
        expectData(answer);
        expect(answer).toMatchObject({ status: 200, body: { subscriptionIdentifier: id } });
      }
    },
    2 * TIMEOUT,
  );
});
