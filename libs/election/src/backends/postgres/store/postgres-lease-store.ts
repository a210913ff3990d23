import { quoteTable } from '../../../fence/sql-fence.js';
import type {
  LeaseClaim,
  LeaseNews,
  LeaseStore,
  LeaseView,
  LeaseWatcher,
  NewLeaseClaim,
} from '../../../lease/lease-store.js';
import type { PostgresConnection } from './postgres-connection.js';

/** Name of the table, where no other is given. */
export const ELECTION_TABLE = 'election';

/**
 * The statement that creates the table of elections, for a migration; the backend runs it itself when the table is not there
 * and its user may. One row for each `lockName`.
 */
export function electionTableSql(table = ELECTION_TABLE): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (
  name text PRIMARY KEY,
  term bigint NOT NULL,
  owner text,
  candidate text,
  expires_at timestamptz NOT NULL
)`;
}

interface Row {
  readonly owner: string | null;
  readonly candidate: string | null;
  readonly term: string;
  readonly remaining: number;
}

/** All elections of a database share one channel: identifiers are short, and names are not. */
export const CHANNEL = 'election_changed';

const NOW = 'clock_timestamp()';
const inFuture = (parameter: string) => `${NOW} + ${parameter}::double precision * interval '1 millisecond'`;
/** Names the table, because the tables of several schemas share the channel. */
const news = (table: string, term: string, candidate: string) =>
  `pg_notify('${CHANNEL}', json_build_object('table', '${table}', 'name', $1::text, 'term', ${term}, 'candidate', ${candidate})::text)`;

const VIEW = `owner, candidate, term,
  greatest(0, extract(epoch FROM expires_at - ${NOW}) * 1000)::double precision AS remaining`;

const VACANT: LeaseView = { owner: null, leaderId: null, term: 0, remaining: 0 };

/**
 * The row of one election. Each change is one statement that compares and sets under the row's lock, by the server's clock at that
 * moment.
 */
export class PostgresLeaseStore implements LeaseStore {
  private readonly table: string;

  constructor(
    private readonly connection: PostgresConnection,
    private readonly lockName: string,
    private readonly tableName: string,
  ) {
    this.table = quoteTable(tableName);
  }

  /** Makes sure that there is a table. */
  async prepare(): Promise<void> {
    const [found] = await this.connection.query<{ exists: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS exists',
      [this.table],
    );
    if (!found!.exists) await this.create();
  }

  acquire({ owner, candidateId, ttl, floor }: NewLeaseClaim): Promise<LeaseView> {
    const fresh = `greatest($4::bigint + 1, floor(extract(epoch FROM ${NOW}) * 1000)::bigint)`;
    return this.view(
      `WITH taken AS (
        INSERT INTO ${this.table} AS held (name, owner, candidate, term, expires_at)
        VALUES ($1, $2, $3, ${fresh}, ${inFuture('$5')})
        ON CONFLICT (name) DO UPDATE SET
          owner = excluded.owner,
          candidate = excluded.candidate,
          term = CASE WHEN held.owner = $2 THEN held.term ELSE greatest(held.term + 1, ${fresh}) END,
          expires_at = ${inFuture('$5')}
        WHERE held.owner IS NULL OR held.owner = $2 OR held.expires_at <= ${NOW}
        RETURNING ${VIEW}
      ), announced AS (SELECT ${news(this.table, 'term', '$3::text')} FROM taken)
      SELECT taken.* FROM taken LEFT JOIN announced ON true
      UNION ALL SELECT ${VIEW} FROM ${this.table} WHERE name = $1 AND NOT EXISTS (SELECT FROM taken)`,
      [this.lockName, owner, candidateId, floor, ttl],
    );
  }

  renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    return this.view(
      `WITH renewed AS (
        UPDATE ${this.table} SET expires_at = ${inFuture('$3')}
        WHERE name = $1 AND owner = $2 AND expires_at > ${NOW} RETURNING ${VIEW}
      )
      SELECT * FROM renewed
      UNION ALL SELECT ${VIEW} FROM ${this.table} WHERE name = $1 AND NOT EXISTS (SELECT FROM renewed)`,
      [this.lockName, owner, ttl],
    );
  }

  async release({ owner }: LeaseClaim): Promise<void> {
    await this.connection.query(
      `WITH released AS (
        UPDATE ${this.table} SET owner = NULL, candidate = NULL, expires_at = ${NOW}
        WHERE name = $1 AND owner = $2 RETURNING term
      ) SELECT ${news(this.table, 'term', 'NULL::text')} FROM released`,
      [this.lockName, owner],
    );
  }

  watch(watcher: LeaseWatcher): () => void {
    return this.connection.listen({
      message: (payload) => {
        const heard = readLeaseNews(payload, this.table, this.lockName);
        if (heard) watcher.changed(heard);
      },
      listening: () => watcher.wake(),
      broken: (error) => watcher.failed(error),
    });
  }

  private async view(text: string, values: readonly unknown[]): Promise<LeaseView> {
    const [row] = await this.connection.query<Row>(text, values);
    if (!row) return VACANT;
    const held = row.owner !== null && row.remaining > 0;
    return {
      owner: held ? row.owner : null,
      leaderId: held ? row.candidate : null,
      term: Number(row.term),
      remaining: held ? row.remaining : 0,
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

/** Reads a notification of the channel; `undefined` when it is not about this election. */
function readLeaseNews(payload: string, ofTable: string, lockName: string): LeaseNews | undefined {
  try {
    const { table, name, term, candidate } = JSON.parse(payload) as Record<string, unknown>;
    if (table !== ofTable || name !== lockName || !Number.isSafeInteger(term)) return undefined;
    if (candidate !== null && typeof candidate !== 'string') return undefined;
    return { term: term as number, leaderId: candidate };
  } catch {
    return undefined;
  }
}
