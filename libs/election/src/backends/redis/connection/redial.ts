import type { Redis } from 'ioredis';

/** Drops a broken connection and dials again. Does not disturb a dial that is already in progress. */
export function redial(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}
