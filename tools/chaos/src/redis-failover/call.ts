import type { RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';

/** Runs `work` on a separate connection to one server. */
export async function call<T>({ host, port }: RedisService, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ host, port, retryStrategy: () => null, commandTimeout: 5_000 });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
