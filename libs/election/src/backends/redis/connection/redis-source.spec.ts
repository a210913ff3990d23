import { describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { channelPrefix, databaseOf, type RedisSource } from './redis-source.js';

describe('databaseOf', () => {
  const instance = new Redis({ lazyConnect: true, db: 7 });
  const cluster = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true });
  it.each<[string, RedisSource, number]>([
    ['a URL without a number', 'redis://host:1', 0],
    ['a URL with a number', 'redis://user:secret@host:1/5', 5],
    ['options without a number', { host: 'x' }, 0],
    ['options with a number', { host: 'x', db: 3 }, 3],
    ['an instance', instance, 7],
    ['a cluster', cluster, 0],
    ['the nodes of a cluster', { cluster: { nodes: [{ host: 'x', port: 1 }] } }, 0],
  ])('is that of %s', (_, source, expected) => {
    expect(databaseOf(source)).toBe(expected);
  });
});

describe('channelPrefix', () => {
  it('keeps databases apart, and leaves the names of database 0 as they are', () => {
    expect(channelPrefix('app:', 0)).toBe('app:');
    expect(channelPrefix('app:', 5)).toBe('app:db5:');
  });
});
