import { LeaseBackend } from '../../lease/lease-backend.js';
import { CHANNEL, PostgresLeaseStore } from './postgres-lease-store.js';
import { type PostgresElectionOptions, resolvePostgresElectionOptions } from './postgres-election-options.js';
import { PostgresConnection } from './postgres-connection.js';

/**
 * Elects over one row in PostgreSQL, by compare-and-set and the server's clock; changes are announced with NOTIFY.
 *
 * The leader renews every `heartbeatInterval` and may act until 98 % of `lockTtl` after it sent a renewal. A leader
 * that is killed, freezes or is cut off is replaced at most 0.25 s after its lease expires. A leader that resigns is replaced at
 * once.
 *
 * The backend has one connection, for statements and for news. Through a pooler such as PgBouncer it does not listen, because the
 * pooler would share that session. Followers then notice changes within `checkInterval`.
 */
export class PostgresElectionBackend extends LeaseBackend {
  private readonly connection: PostgresConnection;

  /** Throws a `RangeError` that names all options that are wrong. Connects with the first campaign. */
  constructor(options: PostgresElectionOptions) {
    const { postgres, lockName, table, commandTimeout, clock, random, ...timing } =
      resolvePostgresElectionOptions(options);
    const connection = new PostgresConnection(postgres, commandTimeout, CHANNEL);
    super({
      name: 'postgres',
      store: new PostgresLeaseStore(connection, lockName, table),
      timing,
      // The connection has its own limits, for connecting and for a statement.
      callTimeout: 2 * commandTimeout + 100,
      clock,
      random,
    });
    this.connection = connection;
  }

  override async close(): Promise<void> {
    await super.close();
    this.connection.close();
  }
}
