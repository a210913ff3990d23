/**
 * A connection to PostgreSQL, as far as a fence needs it. A `Client` or `PoolClient` of `pg` is one; for Prisma, see
 * `prismaSqlClient`. Not a pool: each of its queries may go to another connection.
 */
export interface SqlClient {
  /** Runs one statement with parameters `$1`, `$2`, … */
  query(text: string, params: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The client of an interactive transaction of Prisma, as far as it is needed. */
export interface PrismaTransaction {
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<unknown>;
}

/** A transaction of Prisma for a fence: `prisma.$transaction(async (tx) => { await fence.guard(prismaSqlClient(tx), term); … })`. */
export function prismaSqlClient(tx: PrismaTransaction): SqlClient {
  return {
    query: async (text, params) => ({ rows: (await tx.$queryRawUnsafe(text, ...params)) as unknown[] }),
  };
}
