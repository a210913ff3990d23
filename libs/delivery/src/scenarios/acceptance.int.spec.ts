import { closeRedis } from '@detector-cluster/election/redis';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import type { RouterOptions } from '../send/router-context.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

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
      [0, 1, 2, 3].map((partition) => redis.hget(`${cluster.keys.partition(partition)}:owner`, 'detections')),
    );
    closeRedis(redis);
    expect(kept.reduce((sum, count) => sum + Number(count), 0)).toBe(100);
  });

  it('accepts nothing while the replica does not confirm, says so, and accepts once afterwards', async () => {
    await cluster.process('a');
    const { router, events } = await master({ replicas: 1, timeout: 100 });
    cluster.send(router, 'w');
    await until(() => router.stats().accepted === 1);
    replica.pause();
    for (let i = 0; i < 20; i++) cluster.send(router, 'w');
    const notReplicated = () =>
      events.some((event) => event.type === 'redis-error' && event.error.name === 'NotConfirmedError');
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

describe('acceptance: { fsync: true }', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  async function start(args: readonly string[], wanted: RouterOptions['acceptance'] = acceptance) {
    const server = await startRedis({ generation: '8', args });
    closing.push(() => server.stop());
    const cluster = new DeliveryHarness(server.url);
    closing.push(() => cluster.close());
    // It owns nothing, so the entries stay.
    await cluster.process('a');
    const master = cluster.master({ options: { partitions: 4, acceptance: wanted } });
    await master.router.start();
    return { server, cluster, ...master };
  }

  const acceptance = { fsync: true, timeout: 5_000 };
  const AOF = ['--appendonly', 'yes', '--appendfsync'];

  it('loses nothing that was accepted when Redis is killed', async () => {
    const { server, cluster, router } = await start([...AOF, 'everysec']);
    const accepted = () => router.stats().accepted;
    for (let i = 0; i < 3_000; i++) cluster.send(router, 'w');
    await until(() => accepted() > 0);
    for (let i = 0; i < 1_000; i++) cluster.send(router, 'w');
    await until(() => accepted() >= 3_000);
    await server.kill();
    const known = accepted();
    await server.restart();
    const redis = openPatientRedis(server.url);
    closing.push(() => closeRedis(redis));
    const kept = await Promise.all(
      [0, 1, 2, 3].map((partition) => redis.hget(`${cluster.keys.partition(partition)}:owner`, 'detections')),
    );
    expect(kept.reduce((sum, count) => sum + Number(count), 0)).toBeGreaterThanOrEqual(known);
    // What was not accepted is sent again.
    await until(() => accepted() === 4_000);
    expect(await cluster.backlog()).toBe(4_000);
  });

  it('accepts nothing that is not on disk, says so, and accepts once afterwards', async () => {
    const { server, cluster, router, events } = await start([...AOF, 'no']);
    for (let i = 0; i < 20; i++) cluster.send(router, 'w');
    await until(() =>
      events.some(
        (event) => event.type === 'redis-error' && /has not synced its append-only/.test(event.error.message),
      ),
    );
    expect(router.stats().accepted).toBe(0);
    expect(await cluster.backlog()).toBe(20);
    const redis = openPatientRedis(server.url);
    closing.push(() => closeRedis(redis));
    await redis.config('SET', 'appendfsync', 'everysec');
    await until(() => router.stats().accepted === 20);
    expect(await cluster.backlog()).toBe(20);
  });

  it('waits for the disks of the replicas as well', async () => {
    const replica = await startRedis({ generation: '8', args: ['--appendonly', 'no'] });
    closing.push(() => replica.stop());
    const { server, cluster, router, events } = await start([...AOF, 'always'], {
      ...acceptance,
      replicas: 1,
    });
    const redis = openPatientRedis(replica.url);
    closing.push(() => closeRedis(redis));
    const { hostname, port } = new URL(server.url);
    await redis.replicaof(hostname, Number(port));
    await until(async () => (await redis.info('replication')).includes('master_link_status:up'));
    cluster.send(router, 'w');
    await until(() =>
      events.some(
        (event) => event.type === 'redis-error' && /0 of 1 replicas have synced/.test(event.error.message),
      ),
    );
    expect(router.stats().accepted).toBe(0);
    await redis.config('SET', 'appendonly', 'yes');
    await until(() => router.stats().accepted === 1);
  });
});
