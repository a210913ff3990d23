/** The part of a client of `pg` that the feed uses. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): unknown;
  release(destroy?: boolean): void;
}

/** The part of a pool of `pg` that the feed uses. */
export interface PgPool {
  connect(): Promise<PgClient>;
}

/** Throws a `TypeError` unless the value is a pool. */
export function requirePool(pool: unknown): asserts pool is PgPool {
  if (typeof (pool as PgPool | null | undefined)?.connect !== 'function')
    throw new TypeError("pool must be a pool of 'pg', e.g. new Pool({ connectionString })");
}
