import type { Redis } from 'ioredis';

/** Every key with its whole value as text: all types that the cluster uses; another type is an error. */
export async function redisText(redis: Redis): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const keys of redis.scanStream({ count: 1_000 }))
    for (const key of keys as string[]) texts.set(`redis ${key}`, `${key} ${await valueOf(redis, key)}`);
  return texts;
}

async function valueOf(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  switch (type) {
    case 'none':
      return '';
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(Object.entries(await redis.hgetall(key)));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      throw new Error(`${key} is a ${type}: say how to read it`);
  }
}
