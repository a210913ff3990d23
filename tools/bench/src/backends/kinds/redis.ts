import type { BenchBackend } from '../bench-backend.js';
import { ofBackends } from './of-backends.js';

export const redisBackend: BenchBackend = {
  store: 'redis',
  heartbeatMs: 100,
  open: async ({ url, lock }) => {
    const { RedisElectionBackend } = await import('@detector-cluster/election/redis');
    return ofBackends(() => new RedisElectionBackend({ redis: url, lockName: lock }));
  },
};
