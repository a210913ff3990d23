import { describe, expect, it } from 'vitest';
import { RedisHealth } from './redis-health.js';
import type { SharedRedis } from './shared-redis.js';

const healthOf = (failure: Error) =>
  new RedisHealth({
    commands: { status: 'ready', ping: () => Promise.reject(failure) },
  } as unknown as SharedRedis);

describe('RedisHealth', () => {
  it.each([
    [
      "Stream isn't writeable and enableOfflineQueue options is false",
      'Redis cannot be reached (connection closed)',
    ],
    ['Connection is closed.', 'the connection to Redis broke'],
  ])('says %s in words for operators', async (message, problem) => {
    const health = healthOf(new Error(message));
    await health.check();
    expect(health.status).toMatchObject({ ok: false, problem });
  });
});
