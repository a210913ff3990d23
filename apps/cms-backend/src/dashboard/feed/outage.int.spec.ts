import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/create-test-database.js';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { startTestApp, type TestApp } from '../../test-app.fixture.js';
import { PageClient } from '../page-client.fixture.js';

describe('a page during an outage', () => {
  let redis: RedisService;
  let database: TestDatabase;
  let worker: TestWorker;
  let api: TestApp;
  let page: PageClient;

  beforeAll(async () => {
    [redis, database, worker] = await Promise.all([startRedis(), createTestDatabase(), TestWorker.start()]);
    api = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
    });
    page = await PageClient.open(api.url);
  }, 2 * TIMEOUT);
  afterAll(async () => {
    page?.socket.terminate();
    await api?.close();
    await worker?.stop();
    await redis?.stop();
    await database?.drop();
  }, TIMEOUT);

  const sources = () => page.view!.sources;
  const settled = () =>
    eventually(async () => {
      expect(Object.values(sources()).map(({ ok }) => ok)).toEqual([true, true, true]);
      expect(Object.values(page.view!.workers)).toEqual([expect.objectContaining({ state: 'Ready' })]);
    });

  it(
    'keeps its rows, and continues to show what is unavailable, since when and why',
    async () => {
      await settled();
      const { workers } = page.view!;
      await eventually(async () => expect(Object.keys(page.view!.processes)).toHaveLength(1));
      const { processes } = page.view!;
      const before = new Date().toISOString();
      await redis.kill();
      await eventually(async () => {
        expect(sources().redis).toMatchObject({ ok: false, problem: expect.stringMatching(/./) });
        expect(sources().master).toMatchObject({ ok: false, problem: 'no process is master' });
      });
      expect(sources().redis!.since >= before).toBe(true);
      expect(sources().master!.since >= before).toBe(true);
      expect(sources().database).toMatchObject({ ok: true, problem: null });
      const { since } = sources().redis!;
      const { messages } = page;
      // Longer than a connected process may be silent.
      await eventually(async () => expect(page.messages).toBeGreaterThan(messages + 6));
      expect(Object.keys(page.view!.workers)).toEqual(Object.keys(workers));
      expect(Object.keys(page.view!.processes)).toEqual(Object.keys(processes));
      expect(sources().redis!.since).toBe(since);
      await redis.start();
      await settled();
      expect(sources().redis!.since > since).toBe(true);
      expect(page.gaps).toBe(0);
    },
    3 * TIMEOUT,
  );

  it(
    'shows what is unavailable and the last known state of the rest, if it is opened during the outage',
    async () => {
      await settled();
      await redis.kill();
      await eventually(async () => expect(sources().redis!.ok).toBe(false));
      const late = await PageClient.open(api.url);
      await eventually(async () => expect(late.view).not.toBeNull());
      expect(late.view!.sources.redis).toEqual(sources().redis);
      expect(Object.keys(late.view!.workers)).toEqual(Object.keys(page.view!.workers));
      await late.close();
      await redis.start();
      await settled();
    },
    3 * TIMEOUT,
  );

  it(
    'shows that the database is unavailable',
    async () => {
      await database.drop();
      await eventually(async () => {
        expect(sources().database).toMatchObject({
          ok: false,
          problem: expect.stringMatching(/does not exist/),
        });
      });
      expect(sources().redis!.ok).toBe(true);
    },
    2 * TIMEOUT,
  );

  it(
    'shows that Redis is unavailable when it is frozen',
    async () => {
      await settledRedis();
      redis.pause();
      try {
        const { messages } = page;
        await eventually(async () => expect(sources().redis!.ok).toBe(false));
        await eventually(async () => expect(page.messages).toBeGreaterThan(messages + 4));
      } finally {
        redis.resume();
      }
      await settledRedis();
    },
    3 * TIMEOUT,
  );

  const settledRedis = () => eventually(async () => expect(sources().redis!.ok).toBe(true));
});
