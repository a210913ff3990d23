import { existsSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { startRedis, startRedisCluster, startRedisSentinel } from '../index.js';
import { isAlive } from '../support/process-state.js';
import { withRedis } from './with-redis.js';

const opened: { stop(): Promise<void> }[] = [];
const clients: (Redis | Cluster)[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) if (client.status !== 'end') client.disconnect();
  await Promise.all(opened.splice(0).map((service) => service.stop()));
});
const keep = <Service extends { stop(): Promise<void> }>(service: Service): Service => {
  opened.push(service);
  return service;
};
const keepClient = <Client extends Redis | Cluster>(client: Client): Client => {
  clients.push(client);
  client.on('error', () => undefined);
  return client;
};
const dial = (options: RedisOptions) => keepClient(new Redis({ retryStrategy: null, ...options }));

describe('startRedisCluster', () => {
  it('serves keys from all masters, moves a slot with its keys, and promotes replicas', async () => {
    const cluster = keep(await startRedisCluster({ replicas: 1 }));
    expect(cluster.nodes).toHaveLength(6);
    const client = keepClient(new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port }))));
    const keys = Array.from({ length: 60 }, (_, i) => `key:${i}`);
    for (const key of keys) await client.set(key, key);
    expect(new Set(await Promise.all(keys.map((key) => cluster.ownerOf(key))))).toEqual(
      new Set(cluster.nodes.slice(0, 3)),
    );

    const from = await cluster.ownerOf('key:1');
    const to = cluster.nodes.slice(0, 3).find((node) => node !== from)!;
    await cluster.moveSlotOf('key:1', to);
    expect(await cluster.ownerOf('key:1')).toBe(to);
    expect(await withRedis(to, (redis) => redis.get('key:1'))).toBe('key:1');
    await expect(withRedis(from, (redis) => redis.get('key:1'))).rejects.toThrow(`:${to.port}`);

    await withRedis(to, (redis) => redis.wait(1, 5_000));
    await to.kill();
    let successor: unknown;
    while (!successor) successor = await cluster.ownerOf('key:1').catch(() => undefined);
    expect(cluster.nodes.indexOf(successor as never)).toBe(cluster.nodes.indexOf(to) + 3);
    expect(await client.get('key:1')).toBe('key:1');
    await cluster.stop();
    expect(cluster.nodes.some(({ pid, directory }) => isAlive(pid) || existsSync(directory))).toBe(false);
  }, 60_000);
});

describe('startRedisSentinel', () => {
  it('fails over on request and by itself', async () => {
    const group = keep(await startRedisSentinel());
    const client = keepClient(new Redis({ sentinels: [...group.sentinels], name: group.name }));
    const [first, second] = group.nodes;
    expect(await group.master()).toBe(first);
    await client.set('a', '1');
    expect(await client.wait(1, 5_000)).toBe(1);
    expect(await group.failover()).toBe(second);
    expect(await withRedis(second!, (redis) => redis.get('a'))).toBe('1');
  }, 60_000);

  it('notices that its master is dead', async () => {
    const group = keep(await startRedisSentinel());
    const master = await group.master();
    await master.kill();
    expect(await group.promoted(master)).toBe(group.nodes[1]);
  }, 60_000);
});

describe('startRedis', () => {
  it('accepts only TLS, with a certificate of its own authority', async () => {
    const service = keep(await startRedis({ tls: true }));
    expect(service.url).toBe(`rediss://127.0.0.1:${service.port}`);
    const { host, port, ca } = service;
    expect(await dial({ host, port, tls: { ca } }).ping()).toBe('PONG');
    await expect(dial({ host, port, tls: {}, connectTimeout: 2_000 }).ping()).rejects.toThrow();
    await expect(dial({ host, port, connectTimeout: 2_000 }).ping()).rejects.toThrow();
    await service.restart();
    expect(await dial({ host, port, tls: { ca } }).ping()).toBe('PONG');
  }, 60_000);

  it('has the given users', async () => {
    const { host, port } = keep(
      await startRedis({
        users: [{ name: 'app', password: 'a "b"', rules: ['~{app}:*', '+get', '+hello'] }],
      }),
    );
    const app = dial({ host, port, username: 'app', password: 'a "b"', enableReadyCheck: false });
    expect(await app.get('{app}:x')).toBeNull();
    await expect(app.get('x')).rejects.toThrow('NOPERM');
    await expect(app.set('{app}:x', '1')).rejects.toThrow('NOPERM');
    expect(await dial({ host, port }).set('x', '1')).toBe('OK');
  }, 60_000);
});
