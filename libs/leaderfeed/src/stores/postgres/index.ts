/**
 * Elections over LISTEN and NOTIFY of PostgreSQL.
 *
 * @example
 * ```ts
 * import { PostgresLeaderFeed } from '@detector-cluster/leaderfeed/postgres';
 * import pg from 'pg';
 *
 * const feed = new PostgresLeaderFeed(new pg.Pool(), { mode: 'strict' });
 * await feed.start({ table: 'leaderfeed', name: 'reports' });
 * ```
 * @packageDocumentation
 */
export type { PgClient, PgPool } from './postgres-session.js';
export { PostgresLeaderFeed, type PostgresStartOptions } from './postgres-leader-feed.js';
export {
  PostgresFeedElectionBackend,
  type PostgresFeedElectionOptions,
} from './postgres-feed-election-backend.js';
export { createTableSql } from './postgres-sql.js';
