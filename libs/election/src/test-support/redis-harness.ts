import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisElectionBackend } from '../backends/redis/redis-election-backend.js';
import type { ElectionBackend } from '../contract/election-backend.js';
import type { ElectionHarness } from '../testing/election-harness.js';
import { CutProxy } from './cut-proxy.js';

/** Short enough for tests, long enough for a machine that runs several of them. */
export const TEST_TIMING = { lockTtl: 1_500, heartbeatInterval: 400, checkInterval: 300 };

/** An election on a running server. Every candidate connects through a separate proxy, which a test can cut. */
export function redisHarness(url: string, restartStore?: () => Promise<void>): ElectionHarness {
  const lockName = `{election-${randomUUID()}}`;
  const proxies = new Map<ElectionBackend, CutProxy>();
  return {
    failoverWithin: TEST_TIMING.lockTtl + 250,
    recoveryWithin: 3_000 + 250,
    async createBackend(clock) {
      const { port } = new URL(url);
      const proxy = await CutProxy.to(Number(port));
      const proxied = new URL(url);
      proxied.hostname = '127.0.0.1';
      proxied.port = String(proxy.port);
      const backend = new RedisElectionBackend({ redis: proxied.href, lockName, ...TEST_TIMING, clock });
      proxies.set(backend, proxy);
      return backend;
    },
    cut: (backend) => proxies.get(backend)!.cut(),
    restartStore,
    async dispose() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
      const redis = new Redis(url);
      const keys = await redis.keys(`${lockName}:*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
  };
}
