import type { Redis } from 'ioredis';

/** Drops a connection that is of no use and dials anew. A dial that is under way already is left alone. */
export function redial(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}
