import { quoteTable } from '../../../fence/quote-table.js';
import { electionTableSql } from '../election-table-sql.js';
import type { PostgresConnection } from './postgres-connection.js';

/** Somebody's lease, or none. */
export interface LeaseView {
  /** `null`: nobody's. */
  readonly owner: string | null;
  readonly candidateId: string | null;
  readonly term: number;
  /** How long it still lasts by the server's clock; 0 when nobody holds it. Milliseconds. */
  readonly ttl: number;
}

interface Row {
  readonly owner: string | null;
  readonly candidate: string | null;
  readonly term: string;
  readonly ttl: number;
}

/** What is said on the channel when a lease changes hands. */
export interface LeaseNews {
  readonly name: string;
  readonly term: number;
  /** `null`: it was released. */
  readonly candidate: string | null;
}

/** All elections of a database share one channel: identifiers are short, and names are not. */
export const CHANNEL = 'election_changed';

const NOW = 'clock_timestamp()';
const inFuture = (parameter: string) => `${NOW} + ${parameter}::double precision * interval '1 millisecond'`;
const news = (term: string, candidate: string) =>
  `pg_notify('${CHANNEL}', json_build_object('name', $1::text, 'term', ${term}, 'candidate', ${candidate})::text)`;

/**
 * The row of one election. Each change is one statement that compares and sets under the row's lock, by the server's clock at that
 * moment.
 */
export class PostgresLeaseStore {
  private readonly table: string;
  private ready = false;

  constructor(
    private readonly connection: PostgresConnection,
    private readonly lockName: string,
    private readonly tableName: string,
    private readonly lockTtl: number,
  ) {
    this.table = quoteTable(tableName);
  }

  /** Makes sure that there is a table. */
  async prepare(): Promise<void> {
    if (this.ready) return;
    const [found] = await this.connection.query<{ exists: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS exists',
      [this.table],
    );
    if (!found!.exists) await this.create();
    this.ready = true;
  }

  /**
   * Takes the lease if nobody holds it. Repeated by the same owner, after an answer that was lost, it is the same term.
   * @param floor The term is above it.
   * @returns the term, or `undefined` when somebody else holds it.
   */
  async acquire(owner: string, candidateId: string, floor: number): Promise<number | undefined> {
    const fresh = `greatest($4::bigint + 1, floor(extract(epoch FROM ${NOW}) * 1000)::bigint)`;
    const rows = await this.connection.query<{ term: string }>(
      `WITH taken AS (
        INSERT INTO ${this.table} AS held (name, owner, candidate, term, expires_at)
        VALUES ($1, $2, $3, ${fresh}, ${inFuture('$5')})
        ON CONFLICT (name) DO UPDATE SET
          owner = excluded.owner,
          candidate = excluded.candidate,
          term = CASE WHEN held.owner = $2 THEN held.term ELSE greatest(held.term + 1, ${fresh}) END,
          expires_at = ${inFuture('$5')}
        WHERE held.owner IS NULL OR held.owner = $2 OR held.expires_at <= ${NOW}
        RETURNING term
      ) SELECT term, ${news('term', '$3::text')} FROM taken`,
      [this.lockName, owner, candidateId, floor, this.lockTtl],
    );
    return rows[0] && Number(rows[0].term);
  }

  /** Renews a lease that has not run out. @returns whether it has. */
  async renew(owner: string, term: number): Promise<boolean> {
    const rows = await this.connection.query(
      `UPDATE ${this.table} SET expires_at = ${inFuture('$4')}
      WHERE name = $1 AND owner = $2 AND term = $3 AND expires_at > ${NOW} RETURNING 1`,
      [this.lockName, owner, term, this.lockTtl],
    );
    return rows.length === 1;
  }

  async release(owner: string): Promise<void> {
    await this.connection.query(
      `WITH released AS (
        UPDATE ${this.table} SET owner = NULL, candidate = NULL, expires_at = ${NOW}
        WHERE name = $1 AND owner = $2 RETURNING term
      ) SELECT ${news('term', 'NULL::text')} FROM released`,
      [this.lockName, owner],
    );
  }

  async look(): Promise<LeaseView> {
    const [row] = await this.connection.query<Row>(
      `SELECT owner, candidate, term,
        greatest(0, extract(epoch FROM expires_at - ${NOW}) * 1000)::double precision AS ttl
      FROM ${this.table} WHERE name = $1`,
      [this.lockName],
    );
    if (!row) return { owner: null, candidateId: null, term: 0, ttl: 0 };
    const held = row.owner !== null && row.ttl > 0;
    return {
      owner: held ? row.owner : null,
      candidateId: held ? row.candidate : null,
      term: Number(row.term),
      ttl: held ? row.ttl : 0,
    };
  }

  private async create(): Promise<void> {
    try {
      await this.connection.query(electionTableSql(this.tableName));
    } catch (error) {
      // Others create it at the same moment.
      const { code } = error as { code?: string };
      if (code !== '23505' && code !== '42P07') throw error;
    }
  }
}

/** Reads what was said on the channel; `undefined` when it is not about this election. */
export function readLeaseNews(payload: string, lockName: string): LeaseNews | undefined {
  try {
    const { name, term, candidate } = JSON.parse(payload) as Record<string, unknown>;
    if (name !== lockName || !Number.isSafeInteger(term)) return undefined;
    if (candidate !== null && typeof candidate !== 'string') return undefined;
    return { name: lockName, term: term as number, candidate };
  } catch {
    return undefined;
  }
}
