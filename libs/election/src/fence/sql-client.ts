/**
 * A connection to PostgreSQL, as far as a fence needs it. A `Client` or `PoolClient` of `pg` is one; for Prisma, see
 * `prismaSqlClient`. Not a pool: each of its queries may go to another connection.
 */
export interface SqlClient {
  /** Runs one statement with parameters `$1`, `$2`, … */
  query(text: string, params: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}
