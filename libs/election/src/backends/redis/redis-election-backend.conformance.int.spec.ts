import { redisHarness } from '../../test-support/redis-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';

const servers = { 'Redis 7': process.env.REDIS_URL, 'Redis 8': process.env.REDIS8_URL };

for (const [name, url] of Object.entries(servers))
  for (const crashDetection of ['presence', 'lease'] as const)
    if (url)
      describeElectionBackend(`${name} (${crashDetection})`, () =>
        Promise.resolve(redisHarness(url, { crashDetection })),
      );
