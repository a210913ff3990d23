import type { GuardedServer } from '../guard/guarded-server.js';
import type { RedisGeneration } from './program/redis-generation.js';

/** A private Redis or Valkey server on 127.0.0.1. Its data survive a restart with `persistence` only. */
export interface RedisService extends GuardedServer {
  readonly product: 'redis' | 'valkey';
  readonly version: string;
  readonly generation: RedisGeneration;
  /** PEM of its certificate authority; `undefined` without TLS. */
  readonly ca: string | undefined;
}
