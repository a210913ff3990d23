import { closeRedis } from '@detector-cluster/election/redis';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness } from '../../../../../test/support/delivery-harness.js';
import { until } from '../../../../../test/support/until.js';
import { openPatientRedis } from '../../../../../test/support/patient-redis.js';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

describe('acceptance: { replicas: 1 }', () => {
  let primary: RedisService;
  let replica: RedisService;
  let cluster: DeliveryHarness;

  beforeEach(async () => {
    [primary, replica] = await Promise.all([startRedis(), startRedis()]);
    cluster = new DeliveryHarness(primary.url);
    const { hostname, port } = new URL(primary.url);
    const redis = openPatientRedis(replica.url);
    await redis.replicaof(hostname, Number(port));
    await until(async () => (await redis.info('replication')).includes('master_link_status:up'));
    closeRedis(redis);
  });
  afterEach(async () => {
    await cluster.close();
    await Promise.all([primary.stop(), replica.stop()]);
  });

  async function master(acceptance: { readonly replicas: number; readonly timeout: number } | null) {
    const running = cluster.master({ options: { partitions: 4, acceptance } });
    await running.router.start();
    return running;
  }

  it('counts a detection as accepted when the replica has it', async () => {
    // It owns nothing, so the entries stay.
    await cluster.process('a');
    const { router } = await master({ replicas: 1, timeout: 200 });
    for (let i = 0; i < 100; i++) cluster.send(router, 'w');
    await until(() => router.stats().accepted === 100);
    await primary.kill();
    const redis = openPatientRedis(replica.url);
    await redis.replicaof('NO', 'ONE');
    const kept = await Promise.all(
      [0, 1, 2, 3].map((partition) => redis.xlen(cluster.keys.partition(partition))),
    );
    closeRedis(redis);
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  it('accepts nothing while the replica does not confirm, says so, and accepts once afterwards', async () => {
    await cluster.process('a');
    const { router, events } = await master({ replicas: 1, timeout: 100 });
    cluster.send(router, 'w');
    await until(() => router.stats().accepted === 1);
    replica.pause();
    for (let i = 0; i < 20; i++) cluster.send(router, 'w');
    const notReplicated = () =>
      events.some((event) => event.type === 'redis-error' && event.error.name === 'NotReplicatedError');
    await until(notReplicated);
    expect(router.stats().accepted).toBe(1);
    replica.resume();
    await until(() => router.stats().accepted === 21);
    expect(await cluster.backlog()).toBe(21);
  });

  it('accepts without a replica by default', async () => {
    await cluster.process('a');
    const { router } = await master(null);
    replica.pause();
    for (let i = 0; i < 20; i++) cluster.send(router, 'w');
    await until(() => router.stats().accepted === 20);
    replica.resume();
  });
});
