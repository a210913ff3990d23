import { randomUUID } from 'node:crypto';
import { EtcdElectionBackend } from '../backends/etcd/etcd-election-backend.js';
import type { ElectionBackend } from '../contract/election-backend.js';
import type { ElectionHarness } from '../testing/election-harness.js';
import { TcpProxy } from '@detector-cluster/dev-services';

/** Short enough for tests, long enough for a machine that runs several of them. */
export const ETCD_TIMING = { lockTtl: 3_000, heartbeatInterval: 750 };

/** A lease that outlasts a restart of the server on a busy machine. */
export const ETCD_LONG_LEASE = { ...ETCD_TIMING, lockTtl: 30_000 };

/** etcd looks for expired leases every half second; then the cluster has to agree. Milliseconds. */
const EXPIRY = 750;

/** An election on a running server. Every candidate connects through a separate proxy, which a test can cut. */
export function etcdHarness(url: string, restartStore?: () => Promise<void>): ElectionHarness {
  const lockName = `election-${randomUUID()}`;
  const proxies = new Map<ElectionBackend, TcpProxy>();
  const failoverWithin = ETCD_TIMING.lockTtl + EXPIRY;
  return {
    failoverWithin,
    // A server that starts grants all leases their whole length again.
    recoveryWithin: failoverWithin + 1_000,
    async createBackend(clock) {
      const proxy = await TcpProxy.to(url);
      const endpoints = `http://127.0.0.1:${proxy.port}`;
      const backend = new EtcdElectionBackend({ etcd: { endpoints }, lockName, ...ETCD_TIMING, clock });
      proxies.set(backend, proxy);
      return backend;
    },
    cut: (backend) => proxies.get(backend)!.cut(),
    restartStore,
    async dispose() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
    },
  };
}
