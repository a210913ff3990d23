import type { PgPool } from './pg-pool.js';

/** Throws a `TypeError` unless the value is a pool. */
export function requirePool(pool: unknown): asserts pool is PgPool {
  if (typeof (pool as PgPool | null | undefined)?.connect !== 'function')
    throw new TypeError("pool must be a pool of 'pg', e.g. new Pool({ connectionString })");
}
