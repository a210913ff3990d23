import { randomUUID } from 'node:crypto';
import { startPostgres, type PostgresService } from '@detector-cluster/dev-services';
import { describeElectionBackend } from '@detector-cluster/election/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { feedHarness, TEST_TIMING } from '../../test-support/feed-harness.js';
import { PostgresFeedElectionBackend } from './postgres-feed-election-backend.js';

describe('a private server, which may restart', () => {
  let server: PostgresService;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  describeElectionBackend(
    'Postgres',
    () => {
      const electionName = randomUUID();
      return Promise.resolve(
        feedHarness({
          port: server.port,
          create(port, clock) {
            const address = new URL(server.url);
            address.host = `127.0.0.1:${port}`;
            const pool = new pg.Pool({ connectionString: address.href, connectionTimeoutMillis: 1_000 });
            return new PostgresFeedElectionBackend(pool, {
              ...TEST_TIMING,
              clock,
              electionName,
              onWarning: () => undefined,
            });
          },
          restartStore: () => server.restart(),
          recoveryWithin: 5_000,
          dispose: () => Promise.resolve(),
        }),
      );
    },
    { restartsStore: true },
  );
});
