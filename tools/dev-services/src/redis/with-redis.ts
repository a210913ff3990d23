import { Redis } from 'ioredis';
import type { RedisService } from './launch-redis.js';

/** Runs `work` on a separate connection without retries. */
export async function withRedis<Result>(
  service: Pick<RedisService, 'host' | 'port'>,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis({
    host: service.host,
    port: service.port,
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: false,
    commandTimeout: 5_000,
  });
  // The failing command reports the error itself.
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    // Otherwise the client would wait for the end of a stream that has already ended.
    if (redis.status !== 'end') redis.disconnect();
  }
}
