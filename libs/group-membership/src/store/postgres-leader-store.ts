/**
 * Keeps the record of a group's leader in PostgreSQL.
 *
 * @example
 * ```ts
 * import { PostgresLeaderStore } from '@detector-cluster/group-membership/postgres';
 *
 * const store = new PostgresLeaderStore({ connectionString: process.env.DATABASE_URL! });
 * ```
 * @packageDocumentation
 */
import { readPostgresUrl } from '@detector-cluster/election/internal';
import pg from 'pg';
import { TextLeaderStore } from './leader-store.js';

/** The part of a `pg.Pool` that the store uses. */
export interface SqlPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

export interface PostgresLeaderStoreOptions {
  /** URL of the database, also of a pooler. The store opens its own pool of one connection. */
  readonly connectionString?: string;
  /** Or a pool, which the store does not close. */
  readonly pool?: SqlPool;
  /** Created if it does not exist. Default `group_leader`, in the schema of the URL. */
  readonly table?: string;
  /** Default `group-membership:leader`. Each group needs its own. */
  readonly key?: string;
  /** Timeout of each query on the store's own pool. Milliseconds; default 2,000. */
  readonly timeout?: number;
}

/** Keeps the record in a row of PostgreSQL. */
export class PostgresLeaderStore extends TextLeaderStore {
  readonly durable = true;
  private readonly pool: SqlPool;
  private readonly own: pg.Pool | undefined;
  private readonly table: string;
  private readonly key: string;
  private made: Promise<unknown> | undefined;

  /** @throws RangeError when there is no database, or the table's name is invalid; PostgresUrlError. */
  constructor(options: PostgresLeaderStoreOptions) {
    super();
    const { connectionString, pool, table = 'group_leader', timeout = 2_000 } = options;
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(table))
      throw new RangeError(`table must be a name, or schema.name, not ${JSON.stringify(table)}`);
    if (!pool && !connectionString) throw new RangeError('connectionString or pool must be given');
    const limits = { connectionTimeoutMillis: timeout, query_timeout: timeout };
    const url = pool ? undefined : readPostgresUrl(connectionString!, limits);
    this.own = url && new pg.Pool({ ...url.pool, max: 1 });
    // If an idle connection breaks, the pool opens a new one on demand.
    this.own?.on('error', () => undefined);
    this.pool = pool ?? this.own!;
    const schema = table.includes('.') ? undefined : url?.schema;
    this.table = [...(schema === undefined ? [] : [schema]), ...table.split('.')]
      .map((part) => pg.escapeIdentifier(part))
      .join('.');
    this.key = options.key ?? 'group-membership:leader';
  }

  async read(): Promise<string | null> {
    const { rows } = await this.query('select record from TABLE where key = $1', [this.key]);
    return (rows[0] as { record: string } | undefined)?.record ?? null;
  }

  async swap(expected: string | null, next: string): Promise<boolean> {
    const { rowCount } =
      expected === null
        ? await this.query('insert into TABLE (key, record) values ($1, $2) on conflict do nothing', [
            this.key,
            next,
          ])
        : await this.query('update TABLE set record = $2 where key = $1 and record = $3', [
            this.key,
            next,
            expected,
          ]);
    return rowCount === 1;
  }

  protected async write(text: string): Promise<void> {
    await this.query(
      'insert into TABLE (key, record) values ($1, $2) on conflict (key) do update set record = excluded.record',
      [this.key, text],
    );
  }

  async cleanup(): Promise<void> {
    await this.own?.end();
  }

  private async query(text: string, values: unknown[]) {
    this.made ??= this.make();
    await this.made.catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.pool.query(text.replace('TABLE', this.table), values);
  }

  /** Two processes that create the table at once can collide in spite of `if not exists`. For the loser the table then exists. */
  private async make(): Promise<void> {
    const make = `create table if not exists ${this.table} (key text primary key, record text not null)`;
    await this.pool.query(make).catch((error: { code?: string }) => {
      if (error.code !== '23505' && error.code !== '42P07') throw error;
    });
  }
}
