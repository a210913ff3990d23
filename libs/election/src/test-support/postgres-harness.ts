import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PostgresElectionBackend } from '../backends/postgres/postgres-election-backend.js';
import type { ElectionBackend } from '../contract/election-backend.js';
import type { ElectionHarness } from '../testing/election-harness.js';
import { TcpProxy } from '@detector-cluster/dev-services';

/** Short enough for tests, long enough for a machine that runs several of them. */
export const POSTGRES_TIMING = { lockTtl: 2_000, heartbeatInterval: 500, checkInterval: 500 };

/** An election in a running database. Every candidate connects through a separate proxy, which a test can cut. */
export function postgresHarness(url: string, restartStore?: () => Promise<void>): ElectionHarness {
  const lockName = `election-${randomUUID()}`;
  const proxies = new Map<ElectionBackend, TcpProxy>();
  return {
    failoverWithin: POSTGRES_TIMING.lockTtl + 250,
    recoveryWithin: POSTGRES_TIMING.lockTtl + 1_000,
    async createBackend(clock) {
      const proxied = new URL(url);
      const proxy = await TcpProxy.to(Number(proxied.port));
      proxied.hostname = '127.0.0.1';
      proxied.port = String(proxy.port);
      const options = { postgres: proxied.href, lockName, ...POSTGRES_TIMING, clock };
      const backend = new PostgresElectionBackend(options);
      proxies.set(backend, proxy);
      return backend;
    },
    cut: (backend) => proxies.get(backend)!.cut(),
    restartStore,
    async dispose() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
      const client = new pg.Client(url);
      await client.connect();
      await client.query('DELETE FROM election WHERE name = $1', [lockName]);
      await client.end();
    },
  };
}
