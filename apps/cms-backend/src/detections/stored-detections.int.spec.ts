import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { PRISMA } from '../stores/prisma-client.js';
import type { Page } from '../http/pagination.js';
import type { StoredDetectionView } from './stored-detections.controller.js';

const find = async (api: TestApp, query = '') =>
  (await api.send<Page<StoredDetectionView>>('GET', `/api/detections${query}`)).body;

describe('the search among detections', () => {
  const prefix = randomPrefix();
  let database: TestDatabase;
  let worker: TestWorker;
  let directory: string;
  let apis: TestApp[] = [];
  const env = () => ({
    DATABASE_URL: database.url,
    REDIS_URL: process.env.REDIS_URL,
    KEY_PREFIX: `${prefix}:`,
    LOCK_NAME: prefix,
    DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
    DETECTION_HISTORY: 'true',
    DETECTION_PICTURES: pathToFileURL(directory).href,
  });
  beforeAll(async () => {
    database = await createTestDatabase();
    directory = await mkdtemp(join(tmpdir(), 'pictures-'));
    worker = await TestWorker.start({ DETECTIONS_PER_SECOND: '5' });
    // A master leaves detections to the others, so at least two of three processes keep some.
    for (let n = 0; n < 3; n++) apis.push(await startTestApp(env()));
    const { send } = apis[0]!;
    const model = await send<{ id: number }>('POST', '/api/models', { name: 'm', fileKey: 'm.mpta' });
    const playlist = await send<{ id: number }>('POST', '/api/playlists', {
      name: 'p',
      modelId: model.body.id,
    });
    const playlistId = playlist.body.id;
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await send('POST', '/api/cameras', { cameraIdentifier: name, rtspUrl: `rtsp://192.0.2.1/${name}` });
      await send('POST', '/api/displays', { displayId: `d-${name}`, cameraIdentifier: name, playlistId });
    }
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.close()));
    await worker?.stop();
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  }, TIMEOUT);

  it(
    'has the picture of the moment in every process, as long as the detection is kept, also without its camera',
    async () => {
      let kept: StoredDetectionView | undefined;
      await eventually(async () => {
        const { items } = await find(apis[0]!, '?limit=200');
        expect((kept = items.find(({ hasPicture }) => hasPicture))).toBeDefined();
      });
      const { detectionId, subscriptionIdentifier } = kept!;
      const camera = encodeURIComponent(subscriptionIdentifier.split(';')[1]!);
      const removed = await apis[0]!.send('DELETE', `/api/cameras/${camera}?detach=true`);
      expect(removed.status).toBe(204);
      const path = `/api/detections/${encodeURIComponent(detectionId)}/picture`;
      for (const { url } of apis) {
        const answer = await fetch(`${url}${path}`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
        const picture = Buffer.from(await answer.arrayBuffer());
        expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      }
      const prisma: PrismaClient = apis[0]!.app.get(PRISMA, { strict: false });
      await prisma.storedDetection.delete({ where: { detectionId } });
      expectProblem(await apis[1]!.send('GET', path), 404);
    },
    TIMEOUT,
  );

  it(
    'finds those of all processes in every process',
    async () => {
      await eventually(async () => {
        const { items } = await find(apis[0]!, '?limit=200');
        expect(new Set(items.map(({ processId }) => processId)).size).toBeGreaterThan(1);
        expect(items.some(({ label }) => label !== null)).toBe(true);
      });
      const { items } = await find(apis[1]!, '?limit=200');
      const sought = items.find(({ label }) => label !== null)!;
      // Its picture may be kept later.
      const { hasPicture: _, ...always } = sought;
      const camera = sought.subscriptionIdentifier.split(';')[1]!;
      const query = new URLSearchParams({
        camera,
        label: sought.label!.toLowerCase().slice(1),
        from: sought.detectedAt,
        to: new Date(Date.parse(sought.detectedAt) + 1).toISOString(),
      });
      for (const api of apis) {
        const page = await find(api, `?${query}`);
        expect(page).toMatchObject({ items: [always], nextCursor: null });
      }
      expect((await find(apis[2]!, '?camera=nowhere')).items).toEqual([]);
    },
    2 * TIMEOUT,
  );

  it('counts what each process wrote, in its answers and metrics', async () => {
    const stats = await Promise.all(
      apis.map(
        async ({ send }) => (await send<{ history: object }>('GET', '/api/detections/stats')).body.history,
      ),
    );
    expect(stats.filter((one) => 'stored' in one && Number(one.stored) > 0).length).toBeGreaterThan(1);
    const metrics = await (await fetch(`${apis[0]!.url}/metrics`)).text();
    expect(metrics).toMatch(/^cms_backend_stored_detections_total\{result="stored"\} \d+$/m);
    expect(metrics).toMatch(/^cms_backend_stored_detections_total\{result="dropped"\} 0$/m);
    expect(metrics).toMatch(/^cms_backend_stored_detections_waiting \d+$/m);
  });

  it('names the problem of a query', async () => {
    const wrong = await apis[0]!.send(
      'GET',
      '/api/detections?from=yesterday&label=--&cursor=x&limit=0&plate=x',
    );
    expect(expectProblem(wrong, 422).errors?.length).toBeGreaterThanOrEqual(3);
    expectProblem(await apis[0]!.send('GET', '/api/detections?cursor=x'), 422);
  });

  it(
    'is off by default',
    async () => {
      const off = await startTestApp({
        ...env(),
        DETECTION_HISTORY: undefined,
        DETECTION_PICTURES: undefined,
      });
      const refused = expectProblem(await off.send('GET', '/api/detections'), 404);
      expect(refused.detail).toContain('DETECTION_HISTORY');
      expect((await off.send('GET', '/api/detections/stats')).body).toMatchObject({ history: null });
      await off.close();
    },
    TIMEOUT,
  );
});
