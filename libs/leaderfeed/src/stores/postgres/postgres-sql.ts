/** Quotes a table for SQL: `name` or `schema.name`. */
export function quoteTable(table: string): string {
  return table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}

/** One row for each election. `changed_at` and `until` are by the server's clock. */
export function createTableSql(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
  name text PRIMARY KEY,
  leader text,
  written_by text,
  kind text,
  election bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  owner text,
  term bigint NOT NULL DEFAULT 0,
  until timestamptz NOT NULL DEFAULT '-infinity',
  successor text
)`;
}

/** Converts a timestamp to milliseconds since 1970. */
const ms = (moment: string) => `(extract(epoch FROM ${moment}) * 1000)`;

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
  'at', ${ms('changed_at')})::text) FROM written`;
}

/** What every statement about the lease returns of it. \`now\` is one moment for a row. */
const VIEW = `owner, leader, term, successor, greatest(0, ${ms('until')} - ${ms('clock_timestamp()')}) AS remaining`;

const announce = (channel: string) => `pg_notify(${channel}, json_build_object('lease', term)::text)`;

/**
 * Takes the lease if it is free and not reserved for another candidate, or renews it for its owner. No row: a concurrent statement
 * created it. Parameters: name, owner, candidate, time to live in ms, floor, channel.
 */
export function acquireLeaseSql(table: string): string {
  const until = `clock_timestamp() + $4 * interval '1 millisecond'`;
  return `WITH taken AS (
  INSERT INTO ${table} AS t (name, owner, leader, term, until)
  VALUES ($1, $2, $3, greatest($5::bigint + 1, ${ms('clock_timestamp()')}::bigint), ${until})
  ON CONFLICT (name) DO UPDATE SET until = excluded.until, owner = $2, leader = $3,
    term = CASE WHEN t.owner = $2 THEN t.term ELSE greatest(t.term + 1, excluded.term) END,
    successor = CASE WHEN t.owner = $2 THEN t.successor END
  WHERE t.owner = $2 OR t.until <= clock_timestamp() OR (t.owner IS NULL AND t.successor = $3)
  RETURNING ${VIEW}
), announced AS (SELECT ${announce('$6')} FROM taken)
SELECT taken.* FROM taken LEFT JOIN announced ON true
UNION ALL SELECT ${VIEW} FROM ${table} WHERE name = $1 AND NOT EXISTS (SELECT FROM taken)`;
}

/** Renews the lease for its owner; only reads it for other callers. Parameters: name, owner, time to live in ms. */
export function renewLeaseSql(table: string): string {
  return `WITH renewed AS (
  UPDATE ${table} SET until = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE name = $1 AND owner = $2 RETURNING ${VIEW}
)
SELECT * FROM renewed
UNION ALL SELECT ${VIEW} FROM ${table} WHERE name = $1 AND NOT EXISTS (SELECT FROM renewed)`;
}

/** Releases the lease and reserves it for the successor. Parameters: name, owner, time to live in ms, channel. */
export function releaseLeaseSql(table: string): string {
  return `WITH released AS (
  UPDATE ${table} SET owner = NULL, leader = NULL,
    until = CASE WHEN successor IS NULL THEN '-infinity' ELSE clock_timestamp() + $3 * interval '1 millisecond' END
  WHERE name = $1 AND owner = $2 RETURNING term
)
SELECT ${announce('$4')} FROM released`;
}

/** Nominates a successor, or reserves a free lease for it. Parameters: name, candidate, time to live in ms, channel. */
export function nominateSql(table: string): string {
  const held = 't.owner IS NOT NULL AND t.until > clock_timestamp()';
  return `WITH nominated AS (
  INSERT INTO ${table} AS t (name, successor, until)
  VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET
    successor = CASE WHEN ${held} AND t.leader = $2 THEN NULL ELSE $2 END,
    owner = CASE WHEN ${held} THEN t.owner END,
    leader = CASE WHEN ${held} THEN t.leader END,
    until = CASE WHEN ${held} THEN t.until ELSE excluded.until END
  RETURNING term
)
SELECT ${announce('$4')} FROM nominated`;
}
