import { checkTerm, FencedError } from './fenced.error.js';

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

export interface SqlFenceOptions {
  /** Where fences are kept, with or without schema; made by `fenceTableSql`. Default `fence`. */
  readonly table?: string;
}

/**
 * A fence in PostgreSQL: the database refuses transactions of a leader that was replaced. It does not depend on the election, so
 * it works with every backend.
 *
 * One row holds the highest term that has written. A transaction that passes the fence locks that row until it ends. A later term
 * waits for the lock, so no transaction of an earlier term commits after one of a later term. Transactions of the same term wait
 * only for the first of them, not for each other.
 */
export class SqlFence {
  private readonly shareSql: string;
  private readonly raiseSql: string;
  private readonly readSql: string;

  /** @param name Of the resource. All writes under one name share a fence. */
  constructor(
    private readonly name: string,
    { table = 'fence' }: SqlFenceOptions = {},
  ) {
    if (name === '') throw new TypeError('name must not be empty: name the resource that is fenced');
    const quoted = quoteTable(table);
    this.shareSql = `SELECT 1 FROM ${quoted} WHERE name = $1 AND term = $2::bigint FOR SHARE`;
    this.raiseSql =
      `INSERT INTO ${quoted} AS f (name, term) VALUES ($1, $2::bigint) ` +
      'ON CONFLICT (name) DO UPDATE SET term = excluded.term WHERE f.term <= excluded.term RETURNING 1';
    this.readSql = `SELECT term::text AS term FROM ${quoted} WHERE name = $1`;
  }

  /**
   * Lets the transaction continue only if no later term has written. Raises the fence if an earlier term has written. A new leader
   * calls it in a separate transaction before it reads the data that it builds on.
   *
   * @param tx Inside a transaction. Call `guard` as its first statement, so that a replaced leader does no useless work.
   * @throws FencedError; let it roll the transaction back. RangeError for an invalid term. Under REPEATABLE READ and SERIALIZABLE
   * also the server's serialization failure (40001), as for every row that another transaction has changed in the meantime.
   */
  async guard(tx: SqlClient, term: number): Promise<void> {
    checkTerm(term);
    const params = [this.name, String(term)];
    if ((await tx.query(this.shareSql, params)).rows.length > 0) return;
    // A transaction that waited for a later term holds a share lock. Two such transactions would deadlock if both now asked for
    // the exclusive lock.
    const fence = await this.height(tx);
    if (fence > term) throw new FencedError(term, fence);
    if ((await tx.query(this.raiseSql, params)).rows.length > 0) return;
    throw new FencedError(term, await this.height(tx));
  }

  private async height(tx: SqlClient): Promise<number> {
    const { rows } = await tx.query(this.readSql, [this.name]);
    return Number((rows[0] as { term: string } | undefined)?.term ?? 0);
  }
}
