import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countCommands } from './connections.bench.js';

let service: RedisService;

beforeAll(async () => {
  service = await startRedis();
}, 120_000);

afterAll(() => service?.stop());

it('counts the commands that each connection sends, without those that scripts call', async () => {
  const redis = new Redis(service.url);
  const other = new Redis(service.url);
  await Promise.all([redis.ping(), other.ping()]);
  const tap = await countCommands(service.url);
  try {
    await redis.eval(`redis.call('SET', 'a', 1) redis.call('INCR', 'a') return 1`, 0);
    await redis.get('a');
    await other.get('a');
    const total = () => [...tap.counts.values()].reduce((sum, count) => sum + count, 0);
    for (let wait = 0; total() < 3 && wait < 1_000; wait++) await sleep(10);
    // EVAL and GET of the first connection, GET of the second.
    expect([...tap.counts.values()].toSorted()).toEqual([1, 2]);
  } finally {
    tap.close();
    redis.disconnect();
    other.disconnect();
  }
}, 60_000);
