import type { RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config/app-config.js';

/** The same address in the form that every part of the cluster takes. */
export function redisSource(address: RedisAddress): string | RedisOptions {
  return 'url' in address ? address.url : address;
}
