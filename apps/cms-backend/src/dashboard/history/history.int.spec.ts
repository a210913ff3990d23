import type { ClusterHistory } from '@detector-cluster/dashboard-protocol';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/create-test-database.js';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { expectProblem } from '../../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../../test-app.fixture.js';

const read = async (api: TestApp, range = '15m') =>
  (await api.send<ClusterHistory>('GET', `/api/cluster/history?range=${range}`)).body;

describe('the history of a cluster', () => {
  const prefix = `${randomPrefix()}:`;
  let database: TestDatabase;
  let worker: TestWorker;
  let redis: Redis;
  let apis: TestApp[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    redis = new Redis(process.env.REDIS_URL!);
    worker = await TestWorker.start({ DETECTIONS_PER_SECOND: '5' });
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      KEY_PREFIX: prefix,
      LOCK_NAME: prefix.slice(0, -1),
      DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
    };
    apis = [await startTestApp(env), await startTestApp(env)];
    const { send } = apis[0]!;
    const model = await send<{ id: number }>('POST', '/api/models', { name: 'm', fileKey: 'm.mpta' });
    const playlist = await send<{ id: number }>('POST', '/api/playlists', {
      name: 'p',
      modelId: model.body.id,
    });
    await send('POST', '/api/cameras', { cameraIdentifier: 'c', rtspUrl: 'rtsp://192.0.2.1/s' });
    await send('POST', '/api/displays', {
      displayId: 'd',
      cameraIdentifier: 'c',
      playlistId: playlist.body.id,
    });
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.close()));
    await worker?.stop();
    redis?.disconnect();
    await database?.drop();
  }, TIMEOUT);

  it(
    'is recorded without an open page, read in every process, and continues under the next master',
    async () => {
      await eventually(async () => {
        const { points, workers } = await read(apis[0]!);
        expect(workers).toEqual([`ws://127.0.0.1:${worker.port}`]);
        const last = points.at(-1)!;
        expect(last.detectionsPerSecond).toBeGreaterThan(1);
        expect(last.lagMs).not.toBeNull();
        expect(last.loads[0]).toBe(last.meanLoad);
        expect(last.subscriptions).toEqual({ active: 1, pending: 0, recovering: 0, failed: 0 });
      });
      const resigned = await apis[1]!.send('POST', '/api/cluster/master/resign', {});
      expect(resigned.status).toBe(200);
      await eventually(async () => {
        const [one, other] = await Promise.all(apis.map((api) => read(api)));
        expect(other!.points).toEqual(one!.points);
        expect(one!.points.reduce((sum, { failovers }) => sum + failovers, 0)).toBe(2);
        expect(one!.points.at(-1)!.detectionsPerSecond).toBeGreaterThan(1);
      });
      const day = await read(apis[0]!, '24h');
      expect(day.points.reduce((sum, { failovers }) => sum + failovers, 0)).toBe(2);
    },
    4 * TIMEOUT,
  );

  it('is written by the master alone, below the prefix', async () => {
    const found = (await redis.keys(`${prefix}dashboard:history:*`)).sort();
    expect(found.map((key) => key.slice(prefix.length))).toEqual([
      'dashboard:history:15m',
      'dashboard:history:1h',
      'dashboard:history:24h',
      'dashboard:history:workers',
    ]);
  });

  it(
    'is recorded again after another program has changed the type of its keys',
    async () => {
      const names = (await redis.keys(`${prefix}dashboard:history:*`)).filter(
        (key) => !key.endsWith(':aside'),
      );
      const damage = redis.multi();
      for (const name of names) damage.del(name).rpush(name, 'of another program');
      await damage.exec();
      await eventually(async () => {
        for (const range of ['15m', '1h', '24h'])
          expect((await read(apis[0]!, range)).points.length).toBeGreaterThan(0);
      });
    },
    2 * TIMEOUT,
  );

  it('refuses another range', async () => {
    expectProblem(await apis[0]!.send('GET', '/api/cluster/history?range=2h'), 422);
  });
});
