import { requireName } from '../../lease/feed-store.js';
import { StoreLeaderFeed, type StoreLeaderFeedOptions } from '../../lease/store-leader-feed.js';
import { type PgPool, requirePool } from './postgres-session.js';
import { PostgresFeedStore } from './postgres-feed-store.js';

export interface PostgresStartOptions {
  /** `name` or `schema.name`. Default `leaderfeed`. */
  readonly table?: string;
  /** Name of the election, the key of its row in the table. Default `default`. */
  readonly name?: string;
}

/**
 * An election over one row and LISTEN/NOTIFY. The feed emits all other notifications on the channel `<table>:<name>` as `change`:
 * `{ channel, payload }`.
 */
export class PostgresLeaderFeed extends StoreLeaderFeed<PostgresStartOptions> {
  /** @param pool Pool of `pg`. The feed uses one of its clients while it is started. */
  constructor(
    private readonly pool: PgPool,
    options: StoreLeaderFeedOptions = {},
  ) {
    super(options);
    requirePool(pool);
  }

  protected createStore(
    { table = 'leaderfeed', name = 'default' }: PostgresStartOptions,
    timeout: number,
  ): PostgresFeedStore {
    requireName('table', table);
    requireName('name', name);
    return new PostgresFeedStore(this.pool, table, name, timeout);
  }
}
