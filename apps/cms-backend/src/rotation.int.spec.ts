import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/create-test-database.js';
import type { ActualCameraSubscription } from '@detector-cluster/detector-cluster';
import type { Page } from './http/pagination.js';
import { eventually, TIMEOUT } from './eventually.fixture.js';
import { startTestApp, type TestApp } from './test-app.fixture.js';

const [OLD_KEY, NEW_KEY] = ['ops:operate:the-old-key', 'ops-2:operate:the-new-key'];
const [OLD_SECRET, NEW_SECRET] = ['o'.repeat(32), 'n'.repeat(32)];

/** The steps of a rotation in operations.md, and the key of the callers during each step. */
const STEPS = [
  { keys: OLD_KEY, secrets: OLD_SECRET, callers: 'the-old-key' },
  { keys: `${OLD_KEY} ${NEW_KEY}`, secrets: `${OLD_SECRET} ${NEW_SECRET}`, callers: 'the-old-key' },
  { keys: `${OLD_KEY} ${NEW_KEY}`, secrets: `${NEW_SECRET} ${OLD_SECRET}`, callers: 'the-new-key' },
  { keys: NEW_KEY, secrets: NEW_SECRET, callers: 'the-new-key' },
];

describe('changing API keys and the secret of the cluster', () => {
  let database: TestDatabase;
  let worker: TestWorker;
  const running: TestApp[] = [];
  beforeAll(async () => {
    [database, worker] = await Promise.all([createTestDatabase(), TestWorker.start()]);
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await worker?.stop();
    await database?.drop();
  });

  it(
    'refuses no call, and stops no subscription',
    async () => {
      const prefix = `test-${randomUUID()}`;
      const start = async ({ keys, secrets }: { keys: string; secrets: string }) => {
        const app = await startTestApp({
          DATABASE_URL: database.url,
          REDIS_URL: process.env.REDIS_URL,
          KEY_PREFIX: `${prefix}:`,
          LOCK_NAME: prefix,
          DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
          API_KEYS: keys,
          CLUSTER_SECRET: secrets,
        });
        running.push(app);
        return app;
      };
      let current = await start(STEPS[0]!);
      let headers = { 'x-api-key': STEPS[0]!.callers };
      const post = async (path: string, body: object) =>
        (await current.send<{ id: number }>('POST', path, body, headers)).body.id;
      const modelId = await post('/api/models', { name: 'm', fileKey: 'k' });
      const playlistId = await post('/api/playlists', { name: 'p', modelId });
      await post('/api/cameras', { cameraIdentifier: 'c', rtspUrl: 'rtsp://u:hunter2@192.0.2.1/live' });
      await post('/api/displays', { displayId: 'd', cameraIdentifier: 'c', playlistId });
      const subscriptions = () =>
        current.send<Page<ActualCameraSubscription>>('GET', '/api/cluster/subscriptions', undefined, headers);
      const active = async () =>
        expect((await subscriptions()).body.items).toEqual([expect.objectContaining({ status: 'active' })]);
      await eventually(active);

      const refused: number[] = [];
      let calls = 0;
      const over = new AbortController();
      const calling = (async () => {
        while (!over.signal.aborted) {
          const { status } = await subscriptions();
          calls++;
          if (status !== 200) refused.push(status);
          await sleep(20);
        }
      })();
      for (const step of STEPS.slice(1)) {
        const next = await start(step);
        const before = current;
        headers = { 'x-api-key': step.callers };
        // The process of the step before accepts the callers' key, too. In the last step, all callers already have the new key.
        await sleep(100);
        current = next;
        await sleep(100);
        await before.close();
        running.splice(running.indexOf(before), 1);
        await eventually(active);
      }
      over.abort();
      await calling;
      expect(refused).toEqual([]);
      expect(calls).toBeGreaterThan(STEPS.length);
      expect(
        (await current.send('GET', '/api/cameras', undefined, { 'x-api-key': 'the-old-key' })).status,
      ).toBe(401);
    },
    8 * TIMEOUT,
  );
});
