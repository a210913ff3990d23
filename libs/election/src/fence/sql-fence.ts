import { checkTerm, FencedError } from './fenced.error.js';
import { quoteTable } from './fence-table-sql.js';
import type { SqlClient } from './sql-client.js';

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
