import type { ConnectionOptions } from 'node:tls';
import type { ChangeFeedSettings } from './sql/change-feed-settings.js';

/** Where the master listens to the database. The triggers are installed apart, by `installChangeFeed`. */
export interface ChangeFeedOptions extends ChangeFeedSettings {
  /** Direct address of the primary: a pooler in transaction mode and a standby cannot `LISTEN`. */
  readonly connectionString: string;
  /** As of `pg`. Default: what the address says. */
  readonly ssl?: boolean | ConnectionOptions;
  /** How often the connection and the triggers are looked at. Default 5,000 ms. */
  readonly probeInterval?: number;
  /** How long to wait for the connection, or for any answer. Default 5,000 ms. */
  readonly timeout?: number;
}
