import type { Connection, RDatabase, RTable } from 'rethinkdb-ts';
import { requireName } from '../../lease/feed-store.js';
import {
  splitFeedOptions,
  StoreLeaderFeed,
  type StoreLeaderFeedOptions,
} from '../../lease/store-leader-feed.js';
import { requireDriver, type RethinkConnectionOptions, type RethinkDriver } from './rethink-session.js';
import { RethinkFeedStore } from './rethink-feed-store.js';

export interface RethinkStartOptions {
  /** Name of the table. It may hold other documents, whose changes are emitted as `change`. */
  readonly table: string;
  /** An open connection of the application, which the feed does not close. Default: the feed opens its own. */
  readonly connection?: Connection;
}

/** Options of the feed and of `r.connect`. */
export type RethinkFeedOptions = StoreLeaderFeedOptions & RethinkConnectionOptions;

/** An election over a changefeed of RethinkDB 2.4 or newer. `change` events carry changes of the changefeed: `{ old_val, new_val }`. */
export class RethinkLeaderFeed extends StoreLeaderFeed<RethinkStartOptions> {
  /** The driver. */
  readonly r: RethinkDriver;
  private readonly database: string;
  private readonly connectionOptions: RethinkConnectionOptions;
  private tableName: string | undefined;

  /**
   * @param driver `r` of `rethinkdb-ts`.
   * @param db Name of the database. Default `test`.
   */
  constructor(driver: RethinkDriver, db?: string, options?: RethinkFeedOptions);
  constructor(driver: RethinkDriver, options?: RethinkFeedOptions);
  constructor(driver: RethinkDriver, second?: string | RethinkFeedOptions, third?: RethinkFeedOptions) {
    const [db, given] = typeof second === 'object' ? ['test', second] : [second ?? 'test', third ?? {}];
    const [feed, connectionOptions] = splitFeedOptions(given);
    super(feed);
    requireDriver(driver);
    this.r = driver;
    this.database = db;
    this.connectionOptions = connectionOptions;
  }

  /** While the feed is started. */
  get connection(): Connection | undefined {
    return (this.store as RethinkFeedStore | undefined)?.connection;
  }

  /** Selection of the database. */
  get db(): RDatabase {
    return this.r.db(this.database);
  }

  /** Selection of the table, available once the feed was started. */
  get table(): RTable | undefined {
    return this.tableName === undefined ? undefined : this.db.table(this.tableName);
  }

  protected createStore({ table, connection }: RethinkStartOptions, timeout: number): RethinkFeedStore {
    requireName('table', table);
    this.tableName = table;
    const { r, database: db, connectionOptions } = this;
    const { clock } = this.settings;
    const place = { r, db, table, connectionOptions, connection, clock };
    return new RethinkFeedStore(place, timeout);
  }
}
