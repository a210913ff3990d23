import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { partitionOf } from '../log/log-address.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SUBSCRIPTION = 'd;c';

/** Above the terms of the test's masters. */
const LATER = 1_800_000_000_000;

describe('an entry of another program in a log', () => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  const start = async () => {
    await cluster.process('a', {});
    const { events, router } = cluster.master({ options: { partitions: 2 } });
    router.setMembers(['a']);
    await router.start();
    await cluster.assigned();
    const stream = cluster.keys.partition(partitionOf(SUBSCRIPTION, 2));
    return { events, router, stream };
  };

  it.each(['*', '9007199254740991-1', '18446744073709551615-18446744073709551615'])(
    'with the id %s becomes a dead letter, and the master continues',
    async (id) => {
      const { events, router, stream } = await start();
      for (let round = 1; round <= 3; round++) {
        for (let n = 0; n < 10; n++) cluster.send(router, 'w', SUBSCRIPTION);
        await cluster.redis.xadd(stream, id, 'x', 'of another', 'program', 'y');
        for (let n = 0; n < 10; n++) cluster.send(router, 'w', SUBSCRIPTION);
        await until(
          () => new Set(cluster.numbersOf(SUBSCRIPTION)).size === 20 * round,
          () => [router.stats(), events, cluster.numbersOf(SUBSCRIPTION)],
        );
        await until(async () => (await cluster.redis.xlen(`${stream}:dead`)) === round);
      }
      await until(async () => (await cluster.backlog()) === 0);
      // In order, apart from repetitions.
      expect([...new Set(cluster.numbersOf(SUBSCRIPTION))]).toEqual(upTo(60));
      expect(events.filter(({ type }) => type === 'foreign-term').length).toBeGreaterThanOrEqual(3);
      expect(events.some(({ type }) => type === 'deposed')).toBe(false);
    },
  );

  it('ends the router if the fence shows that a master of a later term has begun', async () => {
    const { events, router, stream } = await start();
    await new FencedStore(cluster.redis, cluster.keys.fence, LATER).raise();
    await cluster.redis.xadd(stream, `${LATER}-1`, 'message', 'x');
    cluster.send(router, 'w', SUBSCRIPTION);
    await until(() => events.some(({ type }) => type === 'deposed'));
    expect(events.some(({ type }) => type === 'foreign-term')).toBe(false);
  });
});
