import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe } from 'vitest';
import { redisHarness } from '../../test-support/redis-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';

for (const persistence of [false, true])
  describe(`a private server ${persistence ? 'that keeps its data' : 'that loses its data'}`, () => {
    let server: RedisService;
    beforeAll(async () => {
      server = await startRedis({ persistence });
    }, 60_000);
    afterAll(() => server.stop());

    describeElectionBackend(
      'Redis',
      () => Promise.resolve(redisHarness(server.url, { restartStore: () => server.restart() })),
      {
        restartsStore: true,
      },
    );
  });
