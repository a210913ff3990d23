import { Cluster, Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import {
  channelPrefix,
  databaseOf,
  optionsOf,
  type DirectRedisSource,
  type RedisSource,
} from './redis-source.js';

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

describe('optionsOf', () => {
  it('takes URLs, options and instances, also of another copy of ioredis', () => {
    expect(optionsOf('rediss://a:1')).toMatchObject({ host: 'a', port: 1 });
    expect(optionsOf('unix:///tmp/redis.sock')).toMatchObject({
      path: expect.stringMatching(/\/tmp\/redis\.sock$/),
    });
    expect(optionsOf({ host: 'b' })).toEqual({ host: 'b' });
    expect(optionsOf(new Redis({ host: 'c', lazyConnect: true }))).toMatchObject({ host: 'c' });
    const other = { options: { host: 'd' }, defineCommand: () => undefined, duplicate: () => undefined };
    expect(optionsOf(other as unknown as Redis)).toEqual({ host: 'd' });
  });

  it.each<[string, unknown, RegExp]>([
    ['a URL of something else', 'http://user:secret@host', /^redis: 'http:\/\/' is not a URL of Redis/],
    ['no options', {}, /must be a URL/],
    ['nothing', undefined, /must be a URL/],
    [
      'a client of another library',
      { options: { url: 'redis://h' }, connect: () => undefined },
      /another library/,
    ],
    [
      'a cluster of another copy of ioredis',
      { startupNodes: [], options: {}, defineCommand: () => undefined },
      /another copy of ioredis: pass/,
    ],
  ])('refuses %s instead of connecting to localhost', (_, source, message) => {
    expect(() => optionsOf(source as DirectRedisSource)).toThrow(TypeError);
    expect(() => optionsOf(source as DirectRedisSource)).toThrow(message);
  });
});
