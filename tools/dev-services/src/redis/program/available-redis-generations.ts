import { findRedis } from './find-redis.js';
import type { RedisGeneration } from './redis-generation.js';
import { RedisGenerationUnavailableError } from './redis-generation-unavailable.error.js';

/** The generations that are available on this machine, the older first. */
export async function availableRedisGenerations(): Promise<RedisGeneration[]> {
  const available: RedisGeneration[] = [];
  for (const generation of ['7', '8'] as const)
    try {
      await findRedis(generation);
      available.push(generation);
    } catch (error) {
      if (!(error instanceof RedisGenerationUnavailableError)) throw error;
    }
  return available;
}
