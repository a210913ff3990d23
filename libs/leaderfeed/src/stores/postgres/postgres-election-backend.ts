import { LeaseElectionBackend, type LeaseElectionOptions } from '../../lease/lease-election-backend.js';
import { callTimeoutOf, resolveLeaseTiming } from '../../lease/lease-timing.js';
import type { PgPool } from './pg-pool.js';
import { PostgresFeedStore } from './postgres-feed-store.js';
import { requirePool } from './require-pool.js';

export interface PostgresElectionOptions extends LeaseElectionOptions {
  /** `name` or `schema.name`; made where it is missing. Default `leaderfeed`. */
  readonly table?: string;
  /** Of the election: candidates with the same one compete. Default `default`. */
  readonly electionName?: string;
}

/**
 * Strict elections over one row of PostgreSQL, with LISTEN and NOTIFY. A leader that dies is replaced after `lockTtl`, one that
 * resigns at once.
 */
export class PostgresElectionBackend extends LeaseElectionBackend {
  /** @param pool Of `pg`. One of its clients is in use until {@link close}; the pool is not ended. */
  constructor(pool: PgPool, options: PostgresElectionOptions = {}) {
    requirePool(pool);
    const { table = 'leaderfeed', electionName = 'default' } = options;
    const { lockTtl } = resolveLeaseTiming(options);
    super(new PostgresFeedStore(pool, table, electionName, callTimeoutOf(lockTtl)), options);
  }
}
