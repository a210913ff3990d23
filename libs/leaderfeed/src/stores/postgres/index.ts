export type { PgClient, PgPool } from './pg-pool.js';
export { PostgresElectionBackend, type PostgresElectionOptions } from './postgres-election-backend.js';
export { PostgresLeaderFeed, type PostgresStartOptions } from './postgres-leader-feed.js';
export { createTableSql } from './postgres-sql.js';
