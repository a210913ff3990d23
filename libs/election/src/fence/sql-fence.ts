import { checkTerm } from './check-term.js';
import { FencedError } from './fenced.error.js';
import { quoteTable } from './quote-table.js';
import type { SqlClient } from './sql-client.js';

export interface SqlFenceOptions {
  /** Where fences are kept, with or without schema; made by `fenceTableSql`. Default `fence`. */
  readonly table?: string;
}

/**
 * A fence in PostgreSQL: the transactions of a leader that was replaced are refused where the data is. It knows nothing of
 * the election, so that it works with every backend.
 *
 * The highest term that has written is one row. A transaction that was let through holds a lock on it until it ends, which a
 * later term has to wait for: so no transaction of an earlier term commits after one of a later term. Transactions of the
 * same term do not wait for each other, but for the first.
 */
export class SqlFence {
  private readonly shareSql: string;
  private readonly raiseSql: string;
  private readonly readSql: string;

  /** @param name Of the resource; what is written under one name is fenced together. */
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
   * Lets the transaction go on only if no later term has written; raises the fence if an earlier one has. A new leader calls
   * it in a transaction of its own before it reads what it will build on.
   *
   * @param tx Inside a transaction. Its first statement, best: then a leader that was replaced does no work in vain.
   * @throws FencedError; let it roll the transaction back. RangeError for a term that is none. Under REPEATABLE READ and
   * SERIALIZABLE also the server's serialization failure (40001), as for every row that changed meanwhile.
   */
  async guard(tx: SqlClient, term: number): Promise<void> {
    checkTerm(term);
    const params = [this.name, String(term)];
    if ((await tx.query(this.shareSql, params)).rows.length > 0) return;
    // A transaction that waited for a later term holds a share of the lock: if it now asked for all of it, two of them would
    // block each other.
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
