import { LEASE_COLUMNS } from '@detector-cluster/election/internal';

/** Quotes a table for SQL: `name` or `schema.name`. */
export function quoteTable(table: string): string {
  return table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}

/** One row for each election: its last record, and its lease. Times are by the server's clock. */
export function createTableSql(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
  name text PRIMARY KEY,
  leader text,
  written_by text,
  kind text,
  election bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ${LEASE_COLUMNS}
)`;
}

/**
 * Writes a record and notifies all subscribers. The last record wins. Drops a late record of an earlier election.
 * Parameters: name, leader, writer, kind, election, channel.
 */
export function writeRecordSql(table: string): string {
  return `WITH written AS (
  INSERT INTO ${table} AS t (name, leader, written_by, kind, election, changed_at)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET leader = $2, written_by = $3, kind = $4, changed_at = clock_timestamp(),
    election = CASE WHEN $4 = 'elect' THEN greatest(t.election + 1, $5) ELSE $5 END
  WHERE $4 = 'elect' OR t.election <= $5
  RETURNING *
)
SELECT pg_notify($6, json_build_object('leader', leader, 'by', written_by, 'kind', kind, 'election', election,
  'at', extract(epoch FROM changed_at) * 1000)::text) FROM written`;
}
