import type { Clock, ElectionBackend } from '@detector-cluster/election';
import type { ElectionHarness } from '@detector-cluster/election/testing';
import { TcpProxy } from '@detector-cluster/dev-services';

/** Short enough for tests, long enough for fifty candidates on one event loop that may block for a second. */
export const TEST_TIMING = { lockTtl: 3_000, heartbeatInterval: 400, checkInterval: 500 };

interface HarnessOptions {
  /** Default: this machine. */
  readonly host?: string;
  readonly port: number;
  /** @param port Of a proxy of this candidate's own. */
  create(port: number, clock?: Clock): ElectionBackend;
  dispose(): Promise<void>;
  restartStore?(): Promise<void>;
  readonly recoveryWithin?: number;
}

/** An election on a running server. Every candidate reaches it through its own proxy, which tests can cut. */
export function feedHarness({ host, port, create, dispose, ...more }: HarnessOptions): ElectionHarness {
  const proxies = new Map<ElectionBackend, TcpProxy>();
  return {
    ...more,
    failoverWithin: TEST_TIMING.lockTtl + 250,
    async createBackend(clock) {
      const proxy = await TcpProxy.to({ port, host });
      const backend = create(proxy.port, clock);
      proxies.set(backend, proxy);
      return backend;
    },
    cut: (backend) => proxies.get(backend)!.cut(),
    async dispose() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
      await dispose();
    },
  };
}
