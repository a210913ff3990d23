export type { PgClient, PgPool } from './postgres-session.js';
export {
  PostgresFeedElectionBackend,
  type PostgresFeedElectionOptions,
  PostgresLeaderFeed,
  type PostgresStartOptions,
} from './postgres-leader-feed.js';
export { createTableSql } from './postgres-sql.js';
