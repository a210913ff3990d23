import { randomUUID } from 'node:crypto';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { describeElectionBackend } from '@detector-cluster/election/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { feedHarness, TEST_TIMING } from '../../test-support/feed-harness.js';
import { RedisFeedElectionBackend } from './redis-feed-election-backend.js';

describe('a private server that loses its data when it restarts', () => {
  let server: RedisService;
  beforeAll(async () => {
    server = await startRedis({ persistence: false });
  }, 60_000);
  afterAll(() => server.stop());

  describeElectionBackend(
    'Redis',
    () => {
      const channel = `feed-${randomUUID()}`;
      return Promise.resolve(
        feedHarness({
          port: server.port,
          create: (port, clock) =>
            new RedisFeedElectionBackend(
              { host: '127.0.0.1', port },
              { ...TEST_TIMING, clock, channel, onWarning: () => undefined },
            ),
          restartStore: () => server.restart(),
          recoveryWithin: 5_000,
          dispose: () => Promise.resolve(),
        }),
      );
    },
    { restartsStore: true },
  );
});
