import { quoteTable } from './quote-table.js';

/** The statement that makes the table of a `SqlFence`, for a migration; nothing happens when it exists. */
export function fenceTableSql(table = 'fence'): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (name text PRIMARY KEY, term bigint NOT NULL)`;
}
