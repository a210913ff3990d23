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
