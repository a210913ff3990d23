import type { BenchBackend } from '../bench-backend.js';
import { ofBackends } from './of-backends.js';

export const etcdBackend: BenchBackend = {
  store: 'etcd',
  heartbeatMs: 3_333,
  open: async ({ url, lock }) => {
    const { EtcdElectionBackend } = await import('@detector-cluster/election/etcd');
    return ofBackends(() => new EtcdElectionBackend({ etcd: { endpoints: url }, lockName: lock }));
  },
};
