import type { ConnectionOptions } from 'node:tls';
import type { ChangeFeedSettings } from './sql/change-feed-settings.js';

/** Where the master listens to the database. `installChangeFeed` installs the triggers separately. */
export interface ChangeFeedOptions extends ChangeFeedSettings {
  /** Direct address of the primary: a pooler in transaction mode and a standby cannot `LISTEN`. */
  readonly connectionString: string;
  /** The option `ssl` of `pg`. Default: as in the address. */
  readonly ssl?: boolean | ConnectionOptions;
  /** How often the connection and the triggers are checked. Default 5,000 ms. */
  readonly probeInterval?: number;
  /** Timeout of the connection and of any answer. Default 5,000 ms. */
  readonly timeout?: number;
}
