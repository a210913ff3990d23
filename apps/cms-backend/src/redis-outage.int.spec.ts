import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/create-test-database.js';
import { processIdOf } from './create-app.js';
import { eventually, TIMEOUT } from './eventually.fixture.js';
import { expectProblem } from './expect-problem.fixture.js';
import { startTestApp, type TestApp } from './test-app.fixture.js';

describe('without Redis', () => {
  let redis: RedisService;
  let database: TestDatabase;
  let api: TestApp;

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
    await redis.kill();
    api = await startTestApp({ DATABASE_URL: database.url, REDIS_URL: redis.url });
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await redis?.stop();
    await database?.drop();
  }, TIMEOUT);

  async function expectUnavailable(name: string): Promise<void> {
    for (const path of ['/api/cluster/state', '/api/cluster/subscriptions']) {
      const answer = await api.send('GET', path);
      expect(expectProblem(answer, 503).reason).toBe('redis-unavailable');
    }
    expect((await api.send('GET', '/health/live')).status).toBe(200);
    const ready = await api.send<{ checks: Record<string, unknown> }>('GET', '/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body.checks).toMatchObject({ redis: { status: 'down' }, database: { status: 'up' } });
    // Writes need only the database. The master reads them when Redis is back.
    expect((await api.send('POST', '/api/models', { name, fileKey: 'x.mpta' })).status).toBe(201);
  }

  const untilReady = () =>
    eventually(async () => {
      const ready = await api.send('GET', '/health/ready');
      expect(ready.body).toMatchObject({
        status: 'ok',
        isMaster: true,
        processId: processIdOf(api.app),
      });
      expect(ready.status).toBe(200);
      expect((await api.send('GET', '/api/cluster/state')).body).toMatchObject({ isMaster: true });
    });

  it(
    'starts, answers 503 with the reason and comes up when Redis does',
    async () => {
      await expectUnavailable('before Redis');
      await redis.start();
      await untilReady();
    },
    2 * TIMEOUT,
  );

  it(
    'answers 503 when Redis is killed, and heals',
    async () => {
      await redis.kill();
      await eventually(() => expectUnavailable('after kill'));
      await redis.start();
      await untilReady();
    },
    2 * TIMEOUT,
  );
});
