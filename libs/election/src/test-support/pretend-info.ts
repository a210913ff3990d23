import type { Redis } from 'ioredis';

const INFO = "redis.call('INFO', 'server')";

/** Has scripts that a connection sends read this text instead of what the server says of itself. All else is done by the server. */
export function pretendInfo(redis: Redis, info: () => string): void {
  redis.evalsha = () => Promise.reject(new Error('NOSCRIPT'));
  redis.eval = (lua: unknown, ...rest: unknown[]) =>
    redis.call('EVAL', String(lua).replaceAll(INFO, `[[${info()}]]`), ...(rest as (string | number)[]));
}
