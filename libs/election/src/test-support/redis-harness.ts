import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisElectionBackend } from '../backends/redis/redis-election-backend.js';
import type { CrashDetection } from '../backends/redis/redis-election-options.js';
import type { ElectionBackend } from '../contract/election-backend.js';
import type { ElectionHarness } from '../testing/election-harness.js';
import { TcpProxy } from '@detector-cluster/dev-services';

/** Short enough for tests, long enough for a machine that runs several of them. */
export const TEST_TIMING = { lockTtl: 1_500, heartbeatInterval: 400, checkInterval: 300 };

/** A leader keeps its lease while a busy machine lets its process stand still for three seconds. */
export const STEADY_TIMING = { ...TEST_TIMING, lockTtl: 5_000 };

/** Whether an error only shows that a busy machine did not answer a call in time. */
export const isLate = ({ code }: Error & { readonly code?: string }): boolean =>
  code !== undefined && ['TIMEOUT', 'CONNECTION_LOST', 'STORE_UNREACHABLE'].includes(code);

/** Half of the time for which a lease that rests on presence is valid. Milliseconds. */
const PRESENCE_RENEW_DEADLINE = 200;

/** An election on a running server. Every candidate connects through a separate proxy, which a test can cut. */
export function redisHarness(
  url: string,
  {
    restartStore,
    crashDetection = 'presence',
  }: { readonly restartStore?: () => Promise<void>; readonly crashDetection?: CrashDetection } = {},
): ElectionHarness {
  const lockName = `{election-${randomUUID()}}`;
  const proxies = new Map<ElectionBackend, TcpProxy>();
  return {
    failoverWithin: TEST_TIMING.lockTtl + 250,
    recoveryWithin: 3_000 + 250,
    ...(crashDetection === 'presence' && { renewDeadline: PRESENCE_RENEW_DEADLINE }),
    async createBackend(clock) {
      const { port } = new URL(url);
      const proxy = await TcpProxy.to(Number(port));
      const proxied = new URL(url);
      proxied.hostname = '127.0.0.1';
      proxied.port = String(proxy.port);
      const options = { redis: proxied.href, lockName, ...TEST_TIMING, crashDetection, clock };
      const backend = new RedisElectionBackend(options);
      proxies.set(backend, proxy);
      return backend;
    },
    cut: (backend) => proxies.get(backend)!.cut(),
    restartStore,
    async dispose() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
      const redis = new Redis(url);
      const keys = await redis.keys(`${lockName}:*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
  };
}
