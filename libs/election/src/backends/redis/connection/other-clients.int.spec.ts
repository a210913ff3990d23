import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { Cluster as OtherCluster, Redis as OtherRedis } from 'ioredis-copy';
import { createClient } from 'redis';
import { afterEach, describe, expect, it } from 'vitest';
import { RedisElectionBackend } from '../redis-election-backend.js';
import { commandSettings, closeRedis, openRedis } from './redis-connection.js';
import type { RedisSource } from './redis-source.js';
import { whenReady } from './bounded-call.js';

describe('a client of another copy of ioredis, or of another library', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it.each<[string, unknown]>([
    ['ioredis 5', Redis5],
    ['a second copy of ioredis 6', OtherRedis],
  ])('is used for its settings: %s', async (_, Client) => {
    expect(Client).not.toBe(Redis);
    const url = `${process.env.REDIS_URL!.replace(/\/\d*$/, '')}/3`;
    const client = new (Client as typeof Redis)(url, { lazyConnect: true, connectionName: 'theirs' });
    closing.push(() => client.disconnect());
    const own = openRedis(client, { ...commandSettings, connectionName: 'ours' });
    closing.push(() => closeRedis(own));
    await whenReady(own, 5_000);
    expect(own).toBeInstanceOf(Redis);
    const { port } = new URL(url);
    const info = String(await own.client('INFO'));
    expect(info).toMatch(/name=theirs\/ours .*db=3/);
    expect(info).toMatch(new RegExp(`laddr=\\S+:${port} `));
    expect(client.status).toBe('wait');
  });

  it.each<[string, () => unknown, RegExp]>([
    ['a client of node-redis', () => createClient({ url: process.env.REDIS_URL! }), /another library/],
    ['no address', () => ({}), /must be a URL/],
    ['a URL of something else', () => 'http://127.0.0.1:6379', /is not a URL of Redis/],
    [
      'a cluster of another copy',
      () => new OtherCluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true }),
      /another copy of ioredis: pass \{ cluster/,
    ],
  ])('is refused, and nothing connects: %s', (_, source, message) => {
    expect(() => new RedisElectionBackend({ redis: source() as RedisSource })).toThrow(message);
  });
});
