import type { BenchBackend } from '../bench-backend.js';
import { ofBackends } from './of-backends.js';

export const postgresBackend: BenchBackend = {
  store: 'postgres',
  heartbeatMs: 3_333,
  open: async ({ url, lock }) => {
    const { PostgresElectionBackend } = await import('@detector-cluster/election/postgres');
    return ofBackends(() => new PostgresElectionBackend({ postgres: url, lockName: lock }));
  },
};
