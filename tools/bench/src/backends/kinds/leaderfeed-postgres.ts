import type { Pool } from 'pg';
import type { BenchBackend } from '../bench-backend.js';

/** Each member has its own pool, like a process. */
export const postgresFeed: BenchBackend = {
  store: 'postgres',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const [{ default: pg }, { PostgresFeedElectionBackend }] = await Promise.all([
      import('pg'),
      import('@detector-cluster/leaderfeed/postgres'),
    ]);
    const pools: Pool[] = [];
    return {
      member: () => {
        const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 2_000 });
        pool.on('error', () => undefined);
        pools.push(pool);
        return new PostgresFeedElectionBackend(pool, { electionName: lock });
      },
      sent: () => 0,
      close: async () => {
        await Promise.all(pools.map((pool) => pool.end()));
      },
    };
  },
};
