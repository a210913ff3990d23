import { startPostgres, type PostgresService } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresHarness } from '../../test-support/postgres-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';

describe('on a private server', () => {
  let server: PostgresService;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  describeElectionBackend(
    'PostgreSQL',
    () => Promise.resolve(postgresHarness(server.url, () => server.restart())),
    { restartsStore: true },
  );
});
