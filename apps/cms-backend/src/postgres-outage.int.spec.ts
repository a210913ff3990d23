import { startPostgres, type PostgresService } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from './eventually.fixture.js';
import { expectProblem } from './expect-problem.fixture.js';
import { startTestApp, type TestApp } from './test-app.fixture.js';

describe('without Postgres', () => {
  let postgres: PostgresService;
  let api: TestApp;

  beforeAll(async () => {
    postgres = await startPostgres();
    await applyMigrations(postgres.url, MIGRATIONS_DIRECTORY);
    await postgres.kill();
    api = await startTestApp({ DATABASE_URL: postgres.url, REDIS_URL: process.env.REDIS_URL });
  }, TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await postgres?.stop();
  }, TIMEOUT);

  const write = (name: string) => api.send('POST', '/api/models', { name, fileKey: 'x.mpta' });

  const untilHealed = (name: string) =>
    eventually(async () => {
      expect((await write(name)).status).toBe(201);
    });

  async function expectUnavailable(): Promise<void> {
    for (const answer of await Promise.all([
      api.send('GET', '/api/cameras'),
      api.send('GET', '/api/displays/x'),
      write('lost'),
      api.send('DELETE', '/api/models/1'),
    ])) {
      const problem = expectProblem(answer, 503);
      expect(problem.reason).toBe('database-unavailable');
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(JSON.stringify(problem)).not.toContain(String(postgres.port));
    }
    // The master explains why it cannot carry out a request of an operator.
    const regenerate = expectProblem(await api.send('POST', '/api/cluster/regenerate'), 503);
    expect(regenerate.detail).toContain('the desired state cannot be read');
    expect((await api.send('GET', '/health/live')).status).toBe(200);
    const ready = await api.send<{ checks: Record<string, unknown> }>('GET', '/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body.checks.database).toMatchObject({ status: 'down' });
  }

  it(
    'starts, answers 503 with the reason and comes up when Postgres does',
    async () => {
      await expectUnavailable();
      await postgres.start();
      await untilHealed('after start');
      expectProblem(await write('after start'), 409);
    },
    2 * TIMEOUT,
  );

  it(
    'answers 503 when Postgres is killed, and heals',
    async () => {
      await postgres.kill();
      await expectUnavailable();
      await postgres.start();
      await untilHealed('after kill');
    },
    2 * TIMEOUT,
  );

  it(
    'answers 503 when Postgres hangs, and heals',
    async () => {
      postgres.pause();
      try {
        await expectUnavailable();
      } finally {
        postgres.resume();
      }
      await untilHealed('after pause');
    },
    2 * TIMEOUT,
  );
});
