export type { ChangeFeedOptions } from './change-feed-options.js';
export { type ChangeFeedSettings, DEFAULT_TABLES, type WatchedTables } from './sql/change-feed-settings.js';
export { changeFeedSql, type ChangeFeedSql } from './sql/change-feed-sql.js';
export { installChangeFeed, removeChangeFeed, type SqlClient } from './sql/install-change-feed.js';
