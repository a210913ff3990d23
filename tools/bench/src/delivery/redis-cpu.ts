import type { Redis } from 'ioredis';

/** Returns the processor time that a Redis server has used. Microseconds. */
export async function redisCpu(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = ['used_cpu_user', 'used_cpu_sys'].map((name) =>
    Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1]),
  );
  return seconds.reduce((sum, each) => sum + each, 0) * 1e6;
}
