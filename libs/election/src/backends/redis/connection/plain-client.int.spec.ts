import { Cluster, Command, Redis } from 'ioredis';
import { Command as Command5, Redis as Redis5 } from 'ioredis-5';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisClusterService, startRedisCluster } from '@detector-cluster/dev-services';
import { RedisFence } from '../../../fence/index.js';
import { openCluster } from './open-cluster.js';
import { closeRedis, commandSettings, openRedis } from './redis-connection.js';
import { whenReady } from './bounded-call.js';
import type { RedisSource } from './redis-source.js';

/** What an application may set, and what the project's connections must not see. */
const HOSTILE = {
  protocol: 3,
  replyMapping: 'resp3',
  stringNumbers: true,
  enableAutoPipelining: true,
  showFriendlyErrorStack: true,
  commandTimeout: 1,
  scripts: { get: { lua: 'return "changed"', numberOfKeys: 1 } },
} as const;

const url = new URL(process.env.REDIS_URL!);
const address = { host: url.hostname, port: Number(url.port) };
const instance = new Redis({ ...address, ...HOSTILE, lazyConnect: true });

type Transformers = Record<'argument' | 'reply', Record<string, unknown>>;

describe('a connection of this project, in an application that changes what ioredis returns', () => {
  const transformers = Reflect.get(Command, '_transformer') as Transformers;
  const before = { argument: { ...transformers.argument }, reply: { ...transformers.reply } };
  const opened: (Redis | Cluster)[] = [];

  let nodes: RedisClusterService;

  beforeAll(async () => {
    nodes = await startRedisCluster();
    for (const name of [...Redis.prototype.getBuiltinCommands(), 'WAIT']) {
      Command.setReplyTransformer(name, () => `changed reply of ${name}`);
      Command.setArgumentTransformer(name, () => [`changed argument of ${name}`]);
    }
  });
  afterAll(async () => {
    Object.assign(transformers, before);
    await nodes.stop();
    for (const each of opened) each.disconnect();
    instance.disconnect();
  });

  it.each<[string, RedisSource]>([
    ['options', { ...address, ...HOSTILE } as RedisSource],
    ['an instance', instance],
  ])('has the replies of ioredis 5: %s', async (_name, source) => {
    const redis = openRedis(source, commandSettings);
    opened.push(redis);
    await whenReady(redis, 5_000);
    const key = `plain-client:${crypto.randomUUID()}`;
    expect(await redis.hset(key, { a: 1, b: 'x' })).toBe(2);
    expect(await redis.hset(key, 'c', Buffer.from('y'))).toBe(1);
    expect(await redis.hgetall(key)).toEqual({ a: '1', b: 'x', c: 'y' });
    expect(await redis.hscan(key, '0', 'COUNT', 10)).toEqual(['0', ['a', '1', 'b', 'x', 'c', 'y']]);
    expect(await redis.hgetBuffer(key, 'b')).toEqual(Buffer.from('x'));
    expect(await redis.set(`${key}:s`, '1')).toBe('OK');
    expect(await redis.get(`${key}:s`)).toBe('1');
    expect(await redis.incr(`${key}:s`)).toBe(2);
    expect(await redis.zadd(`${key}:z`, 1.5, 'm')).toBe(1);
    expect(await redis.zrange(`${key}:z`, '0', '-1', 'WITHSCORES')).toEqual(['m', '1.5']);
    const id = await redis.xadd(`${key}:x`, '*', 'field', 'value');
    const read = [[`${key}:x`, [[id, ['field', 'value']]]]];
    expect(await redis.xread('COUNT', 1, 'STREAMS', `${key}:x`, '0')).toEqual(read);
    expect(await redis.call('HGETALL', key)).toEqual(['a', '1', 'b', 'x', 'c', 'y']);
    expect(await redis.eval('return { 1, "two" }', 0)).toEqual([1, 'two']);
    const replies = await redis.pipeline().hgetall(key).call('WAIT', 0, 1).exec();
    expect(replies).toEqual([
      [null, { a: '1', b: 'x', c: 'y' }],
      [null, expect.any(Number)],
    ]);
    await redis.del(key, `${key}:s`, `${key}:z`, `${key}:x`);
  });

  it('has the same replies under ioredis 5', async () => {
    vi.doMock('ioredis', () => import('ioredis-5'));
    vi.resetModules();
    const five = await import('./redis-connection.js');
    vi.doUnmock('ioredis');
    vi.resetModules();
    const theirs = Reflect.get(Command5, '_transformer') as Transformers;
    theirs.reply.hgetall = () => 'changed';
    theirs.argument.hset = () => ['changed'];
    const redis = five.openRedis({ ...address, ...HOSTILE } as RedisSource, five.commandSettings);
    opened.push(redis);
    expect(redis).toBeInstanceOf(Redis5);
    await whenReady(redis, 5_000);
    const key = `plain-client:${crypto.randomUUID()}`;
    expect(await redis.hset(key, { a: 1, b: 'x' })).toBe(2);
    expect(await redis.hgetall(key)).toEqual({ a: '1', b: 'x' });
    expect(await redis.pipeline().hgetall(key).exec()).toEqual([[null, { a: '1', b: 'x' }]]);
    await redis.del(key);
  });

  it('subscribes', async () => {
    const redis = openRedis({ ...address, ...HOSTILE } as RedisSource, commandSettings);
    const sender = openRedis({ ...address, ...HOSTILE } as RedisSource, commandSettings);
    opened.push(redis, sender);
    await Promise.all([whenReady(redis, 5_000), whenReady(sender, 5_000)]);
    const channel = `plain-client:${crypto.randomUUID()}`;
    const message = new Promise((resolve) => redis.once('message', (...args) => resolve(args)));
    expect(await redis.subscribe(channel)).toBe(1);
    expect(await sender.publish(channel, 'text')).toBe(1);
    expect(await message).toEqual([channel, 'text']);
    closeRedis(redis);
  });

  it('does so on a Redis Cluster, too', async () => {
    const cluster = openCluster(
      {
        cluster: {
          nodes: nodes.nodes.map((node) => node.url),
          options: { scaleReads: 'slave', enableAutoPipelining: true, redisOptions: HOSTILE },
        },
      },
      { enableOfflineQueue: true },
      commandSettings,
      () => undefined,
    );
    opened.push(cluster);
    expect(cluster.options.scaleReads).toBe('master');
    // ioredis asks a node of a cluster by itself, without these classes.
    for (const name of ['cluster', 'info', 'client', 'hello', 'select', 'readonly']) {
      delete transformers.argument[name];
      delete transformers.reply[name];
    }
    expect(await cluster.hset('{a}h', { a: 1 })).toBe(1);
    expect(await cluster.hgetall('{a}h')).toEqual({ a: '1' });
    expect(await cluster.incr('{b}n')).toBe(1);
  });
});

describe('RedisFence', () => {
  it('takes a connection that returns numbers as strings', async () => {
    const redis = new Redis({ ...address, stringNumbers: true });
    const key = `plain-client:${crypto.randomUUID()}`;
    const fence = new RedisFence(redis, key);
    await fence.write(7, [['SET', `${key}:a`, '1']]);
    await expect(fence.write(6, [])).rejects.toThrow(/7/);
    await redis.del(key, `${key}:a`);
    redis.disconnect();
  });
});
