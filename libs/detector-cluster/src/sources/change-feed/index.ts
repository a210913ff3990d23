/**
 * Triggers of PostgreSQL that announce changes which no Prisma extension sees.
 *
 * @example
 * ```ts
 * import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
 * import pg from 'pg';
 *
 * const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
 * await client.connect();
 * await installChangeFeed(client);
 * await client.end();
 * ```
 * @packageDocumentation
 */
export {
  type ChangeFeedOptions,
  type ChangeFeedSettings,
  DEFAULT_TABLES,
  type WatchedTables,
} from './change-feed-settings.js';
export {
  changeFeedSql,
  type ChangeFeedSql,
  installChangeFeed,
  removeChangeFeed,
  type SqlClient,
} from './change-feed-sql.js';
