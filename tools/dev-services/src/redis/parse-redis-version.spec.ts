import { describe, expect, it } from 'vitest';
import { parseRedisVersion } from './find-redis.js';

describe('parseRedisVersion', () => {
  it.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=a1b', 'redis', '7.0.15', '7'],
    ['Redis server v=6.2.14 sha=0', 'redis', '6.2.14', '7'],
    ['Redis server v=6.0.16 sha=0', 'redis', '6.0.16', null],
    ['Redis server v=5.0.3 sha=0', 'redis', '5.0.3', null],
    ['Redis server v=8.0.2 sha=0', 'redis', '8.0.2', '8'],
    ['Redis server v=8.4-rc1 sha=0', 'redis', '8.4-rc1', '8'],
    ['Redis server v=10.0.0 sha=0', 'redis', '10.0.0', '8'],
    ['Valkey server v=8.1.1 sha=0', 'valkey', '8.1.1', '7'],
    ['Valkey server v=9.0.0 sha=0', 'valkey', '9.0.0', '8'],
  ])('%s', (text, product, version, generation) => {
    expect(parseRedisVersion(text)).toEqual({ product, version, generation });
  });

  it.each(['', 'redis-cli 7.0.15', 'Usage: redis-check-rdb <rdb-file-name>'])(
    'knows that %j is no server',
    (text) => {
      expect(parseRedisVersion(text)).toBeNull();
    },
  );
});
