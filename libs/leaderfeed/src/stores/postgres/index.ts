export type { PgClient, PgPool } from './pg-pool.js';
export {
  PostgresFeedElectionBackend,
  type PostgresFeedElectionOptions,
} from './postgres-feed-election-backend.js';
export { PostgresLeaderFeed, type PostgresStartOptions } from './postgres-leader-feed.js';
export { createTableSql } from './postgres-sql.js';
