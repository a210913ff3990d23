import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { DashboardGateway } from '../dashboard/dashboard.gateway.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { startTestApp } from '../test-app.fixture.js';

describe('the readiness of a process', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  }, 2 * TIMEOUT);
  afterAll(() => database?.drop());

  it(
    'ends when the process begins to stop, while it still answers',
    async () => {
      const api = await startTestApp({ DATABASE_URL: database.url, REDIS_URL: process.env.REDIS_URL });
      await eventually(async () => expect((await api.send('GET', '/health/ready')).status).toBe(200));
      const answers: unknown[] = [];
      const ask = async () => {
        const { status, body } = await api.send('GET', '/health/ready');
        answers.push([status, body.status, body.checks]);
      };
      // Nest waits for this hook before it closes the server.
      vi.spyOn(api.app.get(DashboardGateway), 'beforeApplicationShutdown').mockImplementation(
        () => ask() as unknown as void,
      );
      await api.close();
      const up = { database: { status: 'up' }, redis: { status: 'up' } };
      expect(answers).toEqual([[503, 'unavailable', expect.objectContaining(up)]]);
    },
    2 * TIMEOUT,
  );
});
