import { quoteTable } from '../../fence/sql-fence.js';
import type { LeaseWatcher } from '../../lease/lease-store.js';
import type { PostgresConnection } from './postgres-connection.js';
import { LEASE_COLUMNS, PostgresLease } from './postgres-lease.js';

/** Name of the table, where no other is given. */
export const ELECTION_TABLE = 'election';

/**
 * The statement that creates the table of elections, for a migration; the backend runs it itself when the table is not there
 * and its user may. One row for each `lockName`.
 */
export function electionTableSql(table = ELECTION_TABLE): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (
  name text PRIMARY KEY,
  ${LEASE_COLUMNS}
)`;
}

/** All elections of a database share one channel: identifiers are short, and names are not. */
export const CHANNEL = 'election_changed';

/** The lease of an election in the table of elections, with its news. */
export class PostgresLeaseStore extends PostgresLease {
  constructor(
    private readonly connection: PostgresConnection,
    name: string,
    private readonly tableName: string,
  ) {
    super(connection, { table: quoteTable(tableName), name, channel: CHANNEL });
  }

  prepare(): Promise<void> {
    return this.ensureTable(electionTableSql(this.tableName));
  }

  watch(watcher: LeaseWatcher): () => void {
    return this.connection.listen({
      message: (payload) => {
        const heard = this.readNews(payload);
        if (heard) watcher.changed(heard);
      },
      listening: () => watcher.wake(),
      broken: (error) => watcher.failed(error),
    });
  }
}
