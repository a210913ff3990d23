import { clusterKeys } from '@detector-cluster/detector-cluster/store';
import { closeRedis, commandSettings, openRedis, whenReady } from '@detector-cluster/election/redis';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { useTestApp } from '../../test-app.fixture.js';
import { PageClient } from '../page-client.fixture.js';

const SINCE = '2026-01-01T00:00:00.000Z';

describe('the view of a page after changes', () => {
  const prefix = `${randomPrefix()}:`;
  const keys = clusterKeys(prefix);
  const api = useTestApp({ KEY_PREFIX: prefix });
  let redis: Redis;
  let page: PageClient;

  beforeAll(async () => {
    redis = openRedis(process.env.REDIS_URL!, commandSettings);
    await whenReady(redis, 5_000);
    page = await PageClient.open(api.url);
    await eventually(async () => expect(page.view).not.toBeNull());
  }, 2 * TIMEOUT);
  afterAll(async () => {
    page?.socket.terminate();
    closeRedis(redis);
  }, TIMEOUT);

  const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '<b>"\u202e', '\ud83d\udca5');
  const worker = fc.record({
    online: fc.boolean(),
    state: fc.constantFrom('Ready', 'Suspect'),
    standing: fc.constantFrom('open', 'draining'),
    cpuUsage: fc.option(fc.integer({ min: 0, max: 2 })),
    memoryUsage: fc.constant(null),
    gpuUsage: fc.constant(null),
    gpuMemoryUsage: fc.constant(null),
    subscriptionCount: fc.integer({ min: 0, max: 2 }),
    connectedAt: fc.constantFrom('', SINCE),
  });
  const subscription = fc.record({
    assignedWorkerUrl: fc.constantFrom('', 'a', 'b'),
    status: fc.constantFrom('active', 'pending'),
    reason: fc.constantFrom('', '<i>'),
    since: fc.constant(SINCE),
  });
  const model = fc.record({ modelName: name });
  const skip = fc.record({ reason: name, detail: name });
  const change = fc.oneof(
    ...Object.entries({
      connections: worker,
      actual: subscription,
      desired: model,
      skipped: skip,
    }).map(([hash, record]) =>
      fc.record({
        key: fc.constant(keys[hash as 'connections']),
        name,
        text: fc.option(
          fc.oneof(
            record.map((value) => JSON.stringify(value)),
            fc.constant('{'),
          ),
        ),
      }),
    ),
    fc.record({ key: fc.constant(keys.assignments), name, text: fc.option(name) }),
  );

  it(
    'equals the view of a page that opens now',
    async () => {
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), async (changes) => {
          for (const { key, name, text } of changes)
            if (text === null) await redis.hdel(key, name);
            else await redis.hset(key, name, text);
          const { seq } = page;
          await eventually(async () => expect(page.seq).toBeGreaterThan(seq + 1));
          const fresh = await PageClient.open(api.url);
          await eventually(async () =>
            expect(page.history.has([...fresh.history.keys()][0] ?? -1)).toBe(true),
          );
          const [[at, view]] = [...fresh.history] as [[number, unknown]];
          expect(JSON.parse(JSON.stringify(page.history.get(at)))).toEqual(JSON.parse(JSON.stringify(view)));
          compared += Object.keys(fresh.view!.workers).length + Object.keys(fresh.view!.skipped).length;
          await fresh.close();
        }),
        { numRuns: 8, endOnFailure: true },
      );
      expect(compared).toBeGreaterThan(0);
      expect(page.gaps).toBe(0);
    },
    3 * TIMEOUT,
  );
});
