import type { BenchBackend } from '../bench-backend.js';
import { ofBackends } from './of-backends.js';

export const redisFeed: BenchBackend = {
  store: 'redis',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const { RedisFeedElectionBackend } = await import('@detector-cluster/leaderfeed/redis');
    return ofBackends(() => new RedisFeedElectionBackend(url, { channel: lock }));
  },
};
