import type { LeaseClaim, LeaseNews, LeaseStore, LeaseView, NewLeaseClaim } from '../../lease/lease-store.js';

/** The columns of a lease, in a row of the key `name`. */
export const LEASE_COLUMNS = `term bigint NOT NULL DEFAULT 0,
  owner text,
  candidate text,
  successor text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity'`;

interface Row {
  readonly owner: string | null;
  readonly candidate: string | null;
  readonly successor: string | null;
  readonly term: string;
  readonly remaining: number;
}

const NOW = 'clock_timestamp()';
const ms = (moment: string) => `extract(epoch FROM ${moment}) * 1000`;
const inFuture = (parameter: string) => `${NOW} + ${parameter}::double precision * interval '1 millisecond'`;
/** Names the table, because the tables of several schemas share the channel. */
const news = (candidate: string) =>
  `pg_notify($2, json_build_object('table', $3::text, 'name', $1::text, 'term', term, 'candidate', ${candidate})::text)`;

const VIEW = `owner, candidate, successor, term, greatest(0, ${ms('expires_at')} - ${ms(NOW)})::double precision AS remaining`;

const VACANT: LeaseView = { owner: null, leaderId: null, term: 0, remaining: 0, successor: null };

/** Codes for the later of two that create a table at the same moment: the table exists, or its type, or an entry of a catalog. */
const CREATED_BY_ANOTHER: ReadonlySet<string> = new Set(['42P07', '42710', '23505']);

/** What a lease needs of a connection. */
export interface PostgresQueries {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Where a lease is, and where it is announced. */
export interface PostgresLeaseAddress {
  /** Quoted. It has the columns `name`, the key, and {@link LEASE_COLUMNS}. */
  readonly table: string;
  readonly name: string;
  readonly channel: string;
}

/**
 * The row of one election. Each change is one statement that compares and sets under the row's lock, by the server's clock at that
 * moment. A lease is kept for a nominated successor after its release.
 */
export class PostgresLease implements LeaseStore {
  private readonly table: string;
  /** The first parameters of statements that announce what they do. */
  private readonly where: readonly [name: string, channel: string, table: string];

  constructor(
    private readonly queries: PostgresQueries,
    { table, name, channel }: PostgresLeaseAddress,
  ) {
    this.table = table;
    this.where = [name, channel, table];
  }

  /** Makes sure that there is a table. */
  async ensureTable(sql: string): Promise<void> {
    const [found] = await this.queries.query<{ exists: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS exists',
      [this.table],
    );
    if (found!.exists) return;
    try {
      await this.queries.query(sql);
    } catch (error) {
      if (!CREATED_BY_ANOTHER.has((error as { code?: string }).code ?? '')) throw error;
    }
  }

  acquire({ owner, candidateId, ttl, floor }: NewLeaseClaim): Promise<LeaseView> {
    const fresh = `greatest($6::bigint + 1, floor(${ms(NOW)})::bigint)`;
    return this.view(
      `WITH taken AS (
        INSERT INTO ${this.table} AS held (name, owner, candidate, term, expires_at)
        VALUES ($1, $4, $5, ${fresh}, ${inFuture('$7')})
        ON CONFLICT (name) DO UPDATE SET
          owner = excluded.owner,
          candidate = excluded.candidate,
          term = CASE WHEN held.owner = $4 THEN held.term ELSE greatest(held.term + 1, ${fresh}) END,
          successor = CASE WHEN held.owner = $4 THEN held.successor END,
          expires_at = ${inFuture('$7')}
        WHERE held.owner = $4 OR held.expires_at <= ${NOW} 
          OR (held.owner IS NULL AND coalesce(held.successor, $5) = $5)
        RETURNING ${VIEW}
      ), announced AS (SELECT ${news('$5::text')} FROM taken)
      SELECT taken.* FROM taken LEFT JOIN announced ON true
      UNION ALL SELECT ${VIEW} FROM ${this.table} WHERE name = $1 AND NOT EXISTS (SELECT FROM taken)`,
      [...this.where, owner, candidateId, floor, ttl],
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
      [this.where[0], owner, ttl],
    );
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    await this.queries.query(
      `WITH released AS (
        UPDATE ${this.table} SET owner = NULL, candidate = NULL,
          expires_at = CASE WHEN successor IS NULL THEN '-infinity' ELSE ${inFuture('$5')} END
        WHERE name = $1 AND owner = $4 RETURNING term
      ) SELECT ${news('NULL::text')} FROM released`,
      [...this.where, owner, ttl],
    );
  }

  /** Nominates a successor: the holder makes way for it, and a free lease is kept for it for `ttl` ms. */
  async nominate(candidateId: string, ttl: number): Promise<void> {
    const held = `held.owner IS NOT NULL AND held.expires_at > ${NOW}`;
    await this.queries.query(
      `WITH nominated AS (
        INSERT INTO ${this.table} AS held (name, term, successor, expires_at)
        VALUES ($1, 0, $4, ${inFuture('$5')})
        ON CONFLICT (name) DO UPDATE SET
          successor = CASE WHEN ${held} AND held.candidate = $4 THEN NULL ELSE $4 END,
          owner = CASE WHEN ${held} THEN held.owner END,
          candidate = CASE WHEN ${held} THEN held.candidate END,
          expires_at = CASE WHEN ${held} THEN held.expires_at ELSE excluded.expires_at END
        RETURNING term, candidate
      ) SELECT ${news('candidate')} FROM nominated`,
      [...this.where, candidateId, ttl],
    );
  }

  /** Reads a notification of the channel; `undefined` when it is not about this lease. */
  readNews(payload: string): LeaseNews | undefined {
    try {
      const { table, name, term, candidate } = JSON.parse(payload) as Record<string, unknown>;
      if (table !== this.table || name !== this.where[0] || !Number.isSafeInteger(term)) return undefined;
      if (candidate !== null && typeof candidate !== 'string') return undefined;
      return { term: term as number, leaderId: candidate };
    } catch {
      return undefined;
    }
  }

  private async view(text: string, values: unknown[]): Promise<LeaseView> {
    const [row] = await this.queries.query<Row>(text, values);
    if (!row) return VACANT;
    const { owner, candidate, successor, term, remaining } = row;
    const held = remaining > 0;
    return {
      owner: held ? owner : null,
      leaderId: held ? candidate : null,
      term: Number(term),
      remaining: owner === null && successor === null ? 0 : remaining,
      successor,
    };
  }
}
