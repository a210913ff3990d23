import type { DashboardView } from '@detector-cluster/dashboard-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/create-test-database.js';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { processIdOf } from '../../create-app.js';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { startTestApp, type TestApp } from '../../test-app.fixture.js';
import { PageClient } from '../page-client.fixture.js';

const HOSTILE = {
  display: `<img src=x onerror=alert(1)>"'&`,
  camera: '__proto__',
  model: '</script><svg onload=alert(1)>{{7*7}}',
};

const PARTITIONS = Array.from({ length: 32 }, (_, partition) => partition);

/** Rows stand in the order in which a page has heard of them. */
const sorted = <T>(rows: Readonly<Record<string, T>> = {}): T[] =>
  Object.keys(rows)
    .sort()
    .map((key) => rows[key]!);

/** The view without the values that differ from second to second. */
function steady(view: DashboardView | null) {
  return {
    workers: sorted(view?.workers).map((row) => ({ ...row, cpuUsage: null, memoryUsage: null })),
    processes: sorted(view?.processes).map(
      ({ processId, identifier, role, mayAct, term, partitions, startedAt }) => ({
        processId,
        identifier,
        role,
        mayAct,
        term,
        partitions,
        startedAt,
      }),
    ),
    subscriptions: sorted(view?.subscriptions ?? {}),
    skipped: sorted(view?.skipped),
  };
}

describe('pages of two processes', () => {
  let database: TestDatabase;
  let workers: TestWorker[];
  let apis: TestApp[] = [];
  let pages: PageClient[] = [];

  beforeAll(async () => {
    [database, ...workers] = await Promise.all([
      createTestDatabase(),
      ...[1, 2].map((n) => TestWorker.start({ WORKER_NAME: `w${n}`, DETECTIONS_PER_SECOND: '40' })),
    ]);
    const prefix = randomPrefix();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      DETECTOR_WORKERS: JSON.stringify([
        { url: `ws://user:hunter2@127.0.0.1:${workers[0]!.port}`, capacity: 99 },
        `ws://127.0.0.1:${workers[1]!.port}`,
      ]),
      KEY_PREFIX: `${prefix}:`,
      LOCK_NAME: prefix,
    };
    apis = [
      await startTestApp({ ...env, IDENTIFIER: 'one' }),
      await startTestApp({ ...env, IDENTIFIER: 'two' }),
    ];
    const [{ send }] = apis as [TestApp];
    const model = await send<{ id: number }>('POST', '/api/models', {
      name: HOSTILE.model,
      fileKey: 'm.mpta',
    });
    const playlist = await send<{ id: number }>('POST', '/api/playlists', {
      name: 'p',
      modelId: model.body.id,
    });
    for (const cameraIdentifier of [HOSTILE.camera, 'plain'])
      await send('POST', '/api/cameras', { cameraIdentifier, rtspUrl: 'rtsp://192.0.2.1/s' });
    const playlistId = playlist.body.id;
    await send('POST', '/api/displays', {
      displayId: HOSTILE.display,
      cameraIdentifier: HOSTILE.camera,
      playlistId,
    });
    await send('POST', '/api/displays', { displayId: 'd2', cameraIdentifier: 'plain', playlistId });
    await send('POST', '/api/displays', { displayId: 'constructor', cameraIdentifier: 'plain' });
    pages = await Promise.all(apis.map(({ url }) => PageClient.open(url)));
  }, 3 * TIMEOUT);
  afterAll(async () => {
    for (const { socket } of pages) socket.terminate();
    await Promise.all(apis.map((api) => api.close()));
    await Promise.all((workers ?? []).map((worker) => worker.stop()));
    await database?.drop();
  }, TIMEOUT);

  it(
    'show the same, wherever the master is',
    async () => {
      const ids = apis.map(({ app }) => processIdOf(app));
      await eventually(async () => {
        const [one, two] = pages.map(({ view }) => steady(view));
        expect(one).toEqual(two);
        expect(one!.subscriptions.map(({ status }) => status)).toEqual(['active', 'active']);
        expect(one!.processes.map(({ processId }) => processId)).toEqual(ids.toSorted());
        expect(one!.processes.map(({ role }) => role).sort()).toEqual(['follower', 'master']);
        // For a moment, a master whose lease is confirmed late may not act.
        expect(one!.processes.map(({ mayAct }) => mayAct).sort()).toEqual([false, true]);
        // The master leaves detections to the others.
        for (const { partitions, role } of one!.processes)
          expect(partitions).toEqual(role === 'master' ? [] : PARTITIONS);
        expect(one!.processes.map(({ identifier }) => identifier).sort()).toEqual(['one', 'two']);
        for (const { view } of pages)
          expect(Object.values(view!.sources).map(({ ok, problem }) => [ok, problem])).toEqual(
            Array.from({ length: 3 }, () => [true, null]),
          );
      });
      expect(pages.map(({ servedBy }) => servedBy)).toEqual(ids);
      for (const { view, gaps } of pages) {
        expect(gaps).toBe(0);
        const master = Object.values(view!.processes).find(({ role }) => role === 'master')!;
        expect(master).toMatchObject({ mayAct: true, leaseAgeMs: expect.any(Number) });
        expect(master.leaseAgeMs).toBeGreaterThanOrEqual(0);
      }
    },
    2 * TIMEOUT,
  );

  it('show models and capacities of workers, and no credentials', async () => {
    const urls = workers.map(({ port }) => `ws://127.0.0.1:${port}`);
    await eventually(async () => {
      const rows = urls.map((url) => pages[1]!.view!.workers[url]);
      expect(rows.map((row) => row?.capacity)).toEqual([99, 100]);
      // If one worker came late, both are on the other one: so few do not make the master move any.
      expect(new Set(rows.flatMap((row) => row?.models))).toEqual(new Set([`${HOSTILE.model} · m.mpta`]));
      expect(rows.map((row) => row?.state)).toEqual(['Ready', 'Ready']);
    });
    expect(JSON.stringify([...pages[1]!.history.values()])).not.toContain('hunter2');
  });

  it('show text of others as it is', async () => {
    const identifier = `${HOSTILE.display};${HOSTILE.camera}`;
    await eventually(async () => {
      expect(pages[1]!.view!.subscriptions?.[identifier]).toMatchObject({
        subscriptionIdentifier: identifier,
      });
      expect(Object.hasOwn(pages[1]!.view!.skipped, 'constructor')).toBe(true);
    });
  });

  it(
    'show the detections of all processes, each at most once, and the events',
    async () => {
      await eventually(async () => {
        const rows = Object.values(pages[0]!.view!.processes);
        expect(rows.map((row) => row.role === 'master' || row.detectionsPerSecond > 0)).toEqual([true, true]);
        for (const { detections, events, skippedDetections } of pages) {
          expect(detections.length).toBeGreaterThan(50);
          // 80 per second are more than one pulse can hold.
          expect(skippedDetections).toBeGreaterThan(0);
          expect(events.map(({ type }) => type)).toContain('master-acquired');
        }
      });
      const [one, two] = pages.map(({ detections }) => detections.map(({ detectionId }) => detectionId));
      expect(one!.filter((id) => two!.includes(id)).length).toBeGreaterThan(0);
      for (const { detections, events } of pages) {
        const shown = detections.map(({ detectionId, processId }) => `${detectionId} ${processId}`);
        expect(new Set(shown).size).toBe(shown.length);
        const eventIds = events.map(({ eventId }) => eventId);
        expect(new Set(eventIds).size).toBe(eventIds.length);
        expect(JSON.parse(detections[0]!.summary)).toMatchObject({ modelName: HOSTILE.model });
      }
    },
    2 * TIMEOUT,
  );

  it(
    'lose a process that stops at once, and follow the next master',
    async () => {
      const [gone, left] = apis as [TestApp, TestApp];
      const goneId = processIdOf(gone.app);
      const page = pages[0]!;
      await gone.close();
      apis = [left];
      expect(await page.closed).toBe(1001);
      await eventually(async () => {
        const rows = Object.values(pages[1]!.view!.processes);
        expect(rows.map(({ processId }) => processId)).not.toContain(goneId);
        expect(rows).toEqual([
          expect.objectContaining({ role: 'master', mayAct: true, partitions: PARTITIONS }),
        ]);
      });
      expect(pages[1]!.gaps).toBe(0);
    },
    2 * TIMEOUT,
  );
});
