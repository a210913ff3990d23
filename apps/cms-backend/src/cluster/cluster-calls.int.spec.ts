import { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { cameraPicture } from '../../../detector-worker/src/streams/scene.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { processIdOf } from '../create-app.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';
import { cursorAt } from '../http/pagination.js';

describe('calls to the cluster', () => {
  let database: TestDatabase;
  let worker: TestWorker;
  let api: TestApp;

  beforeAll(async () => {
    [database, worker] = await Promise.all([
      createTestDatabase(),
      TestWorker.start({ DETECTIONS_PER_SECOND: '2' }),
    ]);
    api = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      DETECTOR_WORKERS: JSON.stringify([{ url: `ws://127.0.0.1:${worker.port}`, name: 'Rack 1' }]),
    });
    const model = await api.send<{ id: number }>('POST', '/api/models', { name: 'm', fileKey: 'm.mpta' });
    const playlist = await api.send<{ id: number }>('POST', '/api/playlists', {
      name: 'p',
      modelId: model.body.id,
    });
    for (const cameraIdentifier of ['cam', 'unused'])
      await api.send('POST', '/api/cameras', { cameraIdentifier, rtspUrl: 'rtsp://192.0.2.1/s' });
    await api.send('POST', '/api/displays', {
      displayId: 'd1',
      cameraIdentifier: 'cam',
      playlistId: playlist.body.id,
    });
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await worker?.stop();
    await database?.drop();
  });

  it(
    'return the picture of a detection, or the latest one if the worker no longer has it',
    async () => {
      interface Page {
        items: { workerUrl: string; data: { detection: { pictureId: string; sequence: number } } }[];
      }
      let items: Page['items'] = [];
      await eventually(async () => {
        ({ items } = (await api.send<Page>('GET', '/api/detections/recent')).body);
        expect(items.length).toBeGreaterThan(1);
      });
      const get = async (picture: string, worker: string) => {
        const query = new URLSearchParams({ picture, worker });
        const response = await fetch(`${api.url}/api/cameras/d1%3Bcam/image?${query}`);
        return { of: response.headers.get('x-picture-of'), body: Buffer.from(await response.arrayBuffer()) };
      };
      for (const { data, workerUrl } of items.slice(0, 2)) {
        const { pictureId, sequence } = data.detection;
        expect(await get(pictureId, workerUrl)).toEqual({
          of: 'detection',
          body: cameraPicture('cam', sequence),
        });
        expect(await get(`${pictureId}000`, workerUrl)).toMatchObject({ of: 'latest' });
        expect(await get(pictureId, 'ws://127.0.0.1:1')).toMatchObject({ of: 'latest' });
      }
      const alone = await api.send('GET', '/api/cameras/cam/image?picture=x');
      expect(expectProblem(alone, 422).errors).toMatchObject([{ parameter: 'picture' }]);
    },
    2 * TIMEOUT,
  );

  it(
    'show the name of a worker, and find what its records name by URL',
    async () => {
      const url = `ws://127.0.0.1:${worker.port}`;
      const find = async (path: string, text: string) => {
        const query = new URLSearchParams({ text });
        const { body } = await api.send<{ items: unknown[] }>('GET', `/api/cluster/${path}?${query}`);
        return body.items;
      };
      await eventually(async () => {
        expect(await find('workers', 'rack 1')).toMatchObject([{ url, name: 'Rack 1' }]);
        expect(await find('subscriptions', 'rack d1')).toMatchObject([{ assignedWorkerUrl: url }]);
        expect(await find('events', 'rack worker-online')).toMatchObject([{ type: 'worker-online', url }]);
      });
      for (const path of ['workers', 'subscriptions', 'events']) expect(await find(path, 'hall')).toEqual([]);
      const plan = await api.send('GET', '/api/cluster/plan');
      expect(plan.body).toMatchObject({ scores: [{ url, name: 'Rack 1' }] });
      const { body } = await api.send<string>('GET', '/api/export/events?text=rack&format=jsonl');
      expect(JSON.stringify(body)).toContain('worker-online');
    },
    2 * TIMEOUT,
  );

  const put = (id: string, body: unknown) =>
    api.send('PUT', `/api/cluster/subscriptions/${encodeURIComponent(id)}/session`, body);

  const act = (worker: string, what: string, body: unknown = {}) =>
    api.send('POST', `/api/cluster/workers/${encodeURIComponent(worker)}/${what}`, body);
  const explain = (id: string) =>
    api.send('GET', `/api/cluster/subscriptions/${encodeURIComponent(id)}/explain`);

  it(
    'return the image of a running camera',
    async () => {
      await eventually(async () => {
        const response = await fetch(`${api.url}/api/cameras/cam/image`);
        const body = Buffer.from(await response.arrayBuffer());
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('image/jpeg');
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(body.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
      });
      expectProblem(await api.send('GET', '/api/cameras/unused/image'), 404);
      expectProblem(await api.send('GET', '/api/cameras/a%3Bb%3Bc/image'), 422);
      await worker.putFaults({ offline: ['cam'] });
      expectProblem(await api.send('GET', '/api/cameras/cam/image'), 404);
      await worker.putFaults({});
    },
    2 * TIMEOUT,
  );

  it(
    'send the session of a display to the worker, and end it',
    async () => {
      expect(await put('d1;cam', { sessionId: 7 })).toMatchObject({
        status: 200,
        body: { subscriptionIdentifier: 'd1;cam', sessionId: 7 },
      });
      await eventually(async () => {
        expect((await worker.stats()).sessions).toEqual({ d1: 7 });
      });
      await put('d1;cam', { sessionId: null });
      await eventually(async () => {
        expect((await worker.stats()).sessions).toEqual({});
      });
      expectProblem(await put('d1;cam', { sessionId: 'x' }), 422);
      expectProblem(await put('d1', { sessionId: 1 }), 422);
    },
    2 * TIMEOUT,
  );

  it(
    'report the progress of the last requested rebalance',
    async () => {
      const none = expectProblem(await api.send('GET', '/api/cluster/rebalance'), 404);
      expect(none.detail).toBe('no rebalance was requested');
      expect((await api.send('POST', '/api/cluster/rebalance')).status).toBe(200);
      await eventually(async () =>
        expect(await api.send('GET', '/api/cluster/rebalance')).toMatchObject({
          status: 200,
          body: { by: 'anybody', since: expect.any(String), moved: 0, left: 0, endedAt: expect.any(String) },
        }),
      );
    },
    2 * TIMEOUT,
  );

  it(
    'reconcile the cluster at once',
    async () => {
      await eventually(async () => {
        for (const call of ['rebalance', 'regenerate'])
          expect(await api.send('POST', `/api/cluster/${call}`)).toMatchObject({
            status: 200,
            body: { accepted: true },
          });
      });
    },
    2 * TIMEOUT,
  );

  it(
    'show the plan, and why a subscription runs where it does',
    async () => {
      const url = `ws://127.0.0.1:${worker.port}`;
      await eventually(async () => {
        for (const query of ['', '?rebalance=false', '?rebalance=true'])
          expect(await api.send('GET', `/api/cluster/plan${query}`)).toMatchObject({
            status: 200,
            body: { actions: [], unplaced: [], scores: [{ url, rejects: null }], omitted: { actions: 0 } },
          });
        expect(await explain('d1;cam')).toMatchObject({
          status: 200,
          body: { unitId: 'cam', workerUrl: url, plannedUrl: url, workers: [{ url, rejections: [] }] },
        });
      });
      expectProblem(await explain('d9;cam'), 404);
      expect(expectProblem(await explain('d1'), 422).errors).toMatchObject([
        { parameter: 'subscriptionIdentifier' },
      ]);
      const wrong = await api.send('GET', '/api/cluster/plan?rebalance=yes');
      expect(expectProblem(wrong, 422).errors).toMatchObject([{ parameter: 'rebalance' }]);
    },
    2 * TIMEOUT,
  );

  it(
    'say whether the workers are enough, and what a drain would do; the metrics do, too',
    async () => {
      const url = `ws://127.0.0.1:${worker.port}`;
      await eventually(async () => {
        expect(await api.send('GET', '/api/cluster/capacity')).toMatchObject({
          status: 200,
          body: {
            wantedWorkers: 1,
            openWorkers: 1,
            unplacedUnits: 0,
            unplacedLoad: 0,
            headroom: expect.closeTo(99),
            models: [{ model: 'm', headroom: 99 }],
            emptiestWorker: null,
          },
        });
        const metrics = await (await fetch(`${api.url}/metrics`)).text();
        expect(metrics).toContain('detector_cluster_wanted_workers 1\n');
        expect(metrics).toContain('detector_cluster_unplaced_load 0\n');
        expect(metrics).toContain('detector_cluster_model_headroom{model="m"} 99\n');
        for (const name of [encodeURIComponent(url), new URL(url).host])
          expect(await api.send('GET', `/api/cluster/workers/${name}/drain`)).toMatchObject({
            status: 200,
            body: { cameras: 1, withoutRoom: 1, deadline: 300_000 },
          });
      });
      expectProblem(await api.send('GET', '/api/cluster/workers/ws%3A%2F%2Fnowhere%3A1/drain'), 404);
    },
    2 * TIMEOUT,
  );

  it(
    'list the versions of models, and lead back to the former one',
    async () => {
      interface Versions {
        modelId: number;
        current: string;
      }
      const models = async () =>
        (await api.send<{ items: Versions[] }>('GET', '/api/cluster/models')).body.items;
      await eventually(async () => expect(await models()).toMatchObject([{ current: 'm.mpta' }]));
      const [{ modelId }] = (await models()) as [Versions];
      await api.send('PATCH', `/api/models/${modelId}`, { fileKey: 'm2.mpta' });
      await eventually(async () =>
        expect(await models()).toMatchObject([{ current: 'm2.mpta', former: 'm.mpta', candidate: null }]),
      );
      const back = () => api.send('PUT', `/api/cluster/models/${modelId}/version`, { version: 'm.mpta' });
      expect(await back()).toMatchObject({ status: 200, body: { accepted: true, changed: true } });
      expect(await back()).toMatchObject({ status: 200, body: { accepted: true, changed: false } });
      expect(await models()).toMatchObject([
        { current: 'm.mpta', former: null, candidate: 'm2.mpta', share: 0 },
      ]);
      await eventually(async () =>
        expect(await explain('d1;cam')).toMatchObject({
          body: { model: { version: 'm.mpta', candidate: 'm2.mpta', isCanary: false } },
        }),
      );
      const wrong = await api.send('PUT', `/api/cluster/models/${modelId}/version`, { version: 'm9' });
      expect(expectProblem(wrong, 422).errors).toMatchObject([
        { parameter: 'version', detail: expect.stringContaining('must be one of m2.mpta, m.mpta') },
      ]);
    },
    2 * TIMEOUT,
  );

  it(
    'drain a worker, cordon it and let it take part again',
    async () => {
      const url = `ws://127.0.0.1:${worker.port}`;
      for (const [what, rejects] of [
        ['drain', 'draining'],
        ['cordon', 'cordoned'],
        ['uncordon', null],
      ] as const) {
        const first = await act(url, what);
        expect(first).toMatchObject({ status: 200, body: { accepted: true, changed: true } });
        expect((await act(new URL(url).host, what)).body).toEqual({ ...first.body, changed: false });
        await eventually(async () => {
          expect((await api.send('GET', '/api/cluster/plan')).body).toMatchObject({ scores: [{ rejects }] });
        });
        expectProblem(await act('ws://nowhere:1', what), 404);
        expect(expectProblem(await act(url, what, { x: 1 }), 422).errors).toMatchObject([{ pointer: '#/x' }]);
        const list = async (query: string) =>
          (await api.send<{ items: object[] }>('GET', `/api/cluster/workers?${query}`)).body.items;
        const standing = rejects ?? 'open';
        await eventually(async () => {
          expect(await list(`standing=${standing}&state=Ready`)).toMatchObject([{ url, standing }]);
        });
        expect(await list(`text=${new URL(url).port}&sort=-subscriptionCount`)).toHaveLength(1);
        expect(await list('state=Offline')).toEqual([]);
        expect((await api.send('GET', `/api/cluster/workers/${new URL(url).host}`)).body).toMatchObject({
          url,
          standing,
        });
      }
    },
    2 * TIMEOUT,
  );

  it('list the events, page by page', async () => {
    type Page = { items: { eventId: string; type: string; term: number }[]; nextCursor: string | null };
    let all: Page['items'] = [];
    await eventually(async () => {
      const { body } = await api.send<Page>('GET', '/api/cluster/events');
      expect(body.nextCursor).toBeNull();
      expect(body.items.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['master-acquired', 'worker-online']),
      );
      all = body.items;
    });
    const [first] = all;
    const page = (cursor: string, limit: number) =>
      api.send<Page>('GET', `/api/cluster/events?sort=at${cursor}&limit=${limit}`);
    const { body: next } = await page('', 1);
    expect(next).toEqual({ items: [first], nextCursor: cursorAt(first!.eventId, 'at') });
    const cursor = `&cursor=${next.nextCursor}`;
    expect((await page(cursor, 1)).body.items).toEqual([all[1]]);
    expect((await page(cursor, 1_000)).body).toMatchObject({
      items: expect.arrayContaining(all.slice(1)),
      nextCursor: null,
    });
    for (const query of ['cursor=nonsense', `cursor=${first!.eventId}`])
      expectProblem(await api.send('GET', `/api/cluster/events?${query}`), 422);
    expectProblem(await api.send('GET', '/api/cluster/events?limit=0'), 422);
  });

  it(
    'have the master resign, once',
    async () => {
      const resign = (body: unknown) =>
        api.send<{ term: number }>('POST', '/api/cluster/master/resign', body);
      const first = await resign({});
      expect(first).toMatchObject({
        status: 200,
        body: { resigned: true, term: expect.any(Number), processId: processIdOf(api.app) },
      });
      const { term } = first.body;
      const late = expectProblem(await resign({ term }), 409);
      expect(late).toMatchObject({
        type: 'urn:cms-backend:problem:superseded',
        code: 'MASTER_CHANGED',
        detail: expect.stringMatching(
          `^term ${term} is not the current term: ${processIdOf(api.app)} is master in term \\d+ and was not asked to resign$`,
        ),
      });
      expect(expectProblem(await resign({ term: 'x' }), 422).errors).toMatchObject([{ pointer: '#/term' }]);
    },
    2 * TIMEOUT,
  );

  it('list, replay and drop dead letters', async () => {
    expect(await api.send('GET', '/api/cluster/dead-letters')).toMatchObject({
      status: 200,
      body: { items: [], nextCursor: null },
    });
    const { keys, redis } = api.app.get(MasterSlaveWorkerCluster, { strict: false });
    for (const [what, done] of [
      ['drop', 'dropped'],
      ['replay', 'replayed'],
    ] as const) {
      const send = (body: unknown) => api.send('POST', `/api/cluster/dead-letters/${what}`, body);
      expect(await send({ ids: 'all' })).toMatchObject({ body: { [done]: 0, left: [], gone: [] } });
      const data = { subscriptionIdentifier: 'd;c', data: {} };
      const message = JSON.stringify({ detectionId: '1-1-1', workerUrl: 'ws://w', receivedAt: 1, data });
      const ofPartition = `${await redis.xadd(`${keys.partition(3)}:dead`, '*', 'message', message)}-3`;
      const ofListeners = `${await redis.xadd(keys.deadLetters, '*', 'message', message)}-l`;
      const list = (query = '') => api.send('GET', `/api/cluster/dead-letters${query}`);
      expect(await list()).toMatchObject({
        body: {
          items: [
            { letterId: ofPartition, audience: 'owner', subscriptionIdentifier: 'd;c', detectionId: '1-1-1' },
            { letterId: ofListeners, audience: 'listener' },
          ],
        },
      });
      const nextCursor = cursorAt(ofPartition, 'failedAt');
      expect(await list('?limit=1')).toMatchObject({
        body: { items: [{ letterId: ofPartition }], nextCursor },
      });
      expect(await list(`?limit=1&cursor=${nextCursor}`)).toMatchObject({
        body: { items: [{ letterId: ofListeners }], nextCursor: null },
      });
      expect(await list('?limit=1000')).toMatchObject({ status: 200, body: { nextCursor: null } });
      // No process listens to the subscription by itself.
      const left = what === 'replay' ? [ofListeners] : [];
      expect(await send({ ids: ['1-1-0', ofPartition, ofListeners] })).toMatchObject({
        status: 200,
        body: { [done]: 2 - left.length, left, gone: ['1-1-0'] },
      });
      expect(expectProblem(await send({ ids: [ofPartition] }), 404).detail).toContain(ofPartition);
      const many = Array.from({ length: 12 }, (_, i) => `1-${i}-31`);
      expect(expectProblem(await send({ ids: many }), 404).detail).toMatch(/1-9-31, and 2 more:/);
      for (const id of ['x', '1-1', '1-1-x', '1-1-', '1-1-123456', '-1-1-0', 1])
        expectProblem(await send({ ids: [id] }), 422);
      expectProblem(await send({}), 422);
    }
    const otherSort = `cursor=${cursorAt('1-1-0', '-failedAt')}`;
    for (const query of ['limit=5000', 'cursor=1-1-0', 'cursor=x', 'after=1-1-0', otherSort])
      expectProblem(await api.send('GET', `/api/cluster/dead-letters?${query}`), 422);
    expectProblem(await api.send('GET', `/api/cluster/events?cursor=${cursorAt('1-1-0')}`), 422);
  });

  it('filter and sort dead letters', async () => {
    await api.send('POST', '/api/cluster/dead-letters/drop', { ids: 'all' });
    const { keys, redis } = api.app.get(MasterSlaveWorkerCluster, { strict: false });
    const add = async (
      n: number,
      camera: string | null,
      error: string,
      key = `${keys.partition(n)}:dead`,
    ) => {
      const data = camera === null ? '{' : JSON.stringify({ subscriptionIdentifier: `d;${camera}` });
      const head = JSON.stringify({ detectionId: `1-1-${n}`, workerUrl: `ws://gpu-${n}:8000` });
      const message = `${head.slice(0, -1)},"data":${data}}`;
      const failedAt = new Date(Date.UTC(2026, 0, 1, n)).toISOString();
      await redis.xadd(key, '*', ...Object.entries({ message, error, failedAt, attempts: '4' }).flat());
      // Dead letters of the same millisecond are in the order of their partitions.
      await sleep(5);
    };
    await add(0, 'gate', 'Error: No space');
    await add(1, 'hall', 'Error: no disk');
    await add(2, 'gate', 'Error: timeout', keys.deadLetters);
    await add(3, null, '');
    const list = async (query: string) => {
      const path = `/api/cluster/dead-letters?${query}`;
      const answer = await api.send<{ items: { detectionId: string }[]; nextCursor: string | null }>(
        'GET',
        path,
      );
      expect(answer.status).toBe(200);
      const { items, nextCursor } = answer.body;
      return { found: items.map(({ detectionId }) => Number(detectionId.slice(4))), nextCursor };
    };
    for (const [query, found] of [
      ['', [0, 1, 2, 3]],
      ['sort=failedAt', [0, 1, 2, 3]],
      ['sort=-failedAt', [3, 2, 1, 0]],
      ['camera=gate', [0, 2]],
      ['camera=gate&sort=-failedAt', [2, 0]],
      ['camera=gat', []],
      ['worker=GPU-1', [1]],
      ['audience=listener', [2]],
      ['audience=owner', [0, 1, 3]],
      ['text=NO', [0, 1]],
      ['text=no&camera=hall', [1]],
      ['from=2026-01-01T01:00:00Z', [1, 2, 3]],
      ['to=2026-01-01T01:00:00Z', [0]],
      ['from=2026-01-01T01:00:00Z&to=2026-01-01T03:00:00Z', [1, 2]],
    ] as const)
      expect([query, await list(query)]).toEqual([query, { found, nextCursor: null }]);
    const first = await list('camera=gate&sort=-failedAt&limit=1');
    expect(first.found).toEqual([2]);
    expect(await list(`camera=gate&sort=-failedAt&limit=1&cursor=${first.nextCursor}`)).toEqual({
      found: [0],
      nextCursor: null,
    });
    for (const [parameter, query] of [
      ['sort', 'sort=error'],
      ['audience', 'audience=all'],
      ['from', 'from=yesterday'],
      ['camera', 'camera='],
    ] as const) {
      const answer = await api.send('GET', `/api/cluster/dead-letters?${query}`);
      expect(expectProblem(answer, 422).errors).toMatchObject([{ parameter }]);
    }
  });
});
