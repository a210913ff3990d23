/** The statement that makes the table of a `SqlFence`, for a migration; nothing happens when it exists. */
export function fenceTableSql(table = 'fence'): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (name text PRIMARY KEY, term bigint NOT NULL)`;
}

/** Quotes a table's name as an SQL identifier. Throws a `TypeError` for an invalid name. */
export function quoteTable(table: string): string {
  if (!/^[a-z_][\w$]*(\.[a-z_][\w$]*)?$/i.test(table))
    throw new TypeError(
      `table must be the name of a table, with or without its schema, not ${JSON.stringify(table)}`,
    );
  return table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
}
