import { quoteTable } from '../../fence/fence-table-sql.js';

/** Name of the table, where no other is given. */
export const ELECTION_TABLE = 'election';

/**
 * The statement that creates the table of elections, for a migration; the backend runs it itself when the table is not there
 * and its user may. One row for each `lockName`.
 */
export function electionTableSql(table = ELECTION_TABLE): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (
  name text PRIMARY KEY,
  term bigint NOT NULL,
  owner text,
  candidate text,
  expires_at timestamptz NOT NULL
)`;
}
