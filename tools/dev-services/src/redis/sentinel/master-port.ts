import type { RedisService } from '../redis-service.js';
import { withRedis } from '../with-redis.js';

/** Port of the master according to one sentinel; `undefined` if the sentinel does not answer. */
export async function masterPort(sentinel: RedisService, name: string): Promise<number | undefined> {
  const address = await withRedis(sentinel, (redis) =>
    redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name),
  ).catch(() => null);
  return Array.isArray(address) ? Number(address[1]) : undefined;
}
