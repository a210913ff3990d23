import { LeaseElectionBackend, type LeaseElectionOptions } from '../../lease/lease-election-backend.js';
import { type PgPool, requirePool } from './postgres-session.js';
import { PostgresFeedStore } from './postgres-feed-store.js';

export interface PostgresFeedElectionOptions extends LeaseElectionOptions {
  /** `name` or `schema.name`; created if it is missing. Default `leaderfeed`. */
  readonly table?: string;
  /** Name of the election: candidates with the same name compete. Default `default`. */
  readonly electionName?: string;
}

/**
 * Strict elections over one row of PostgreSQL, with LISTEN and NOTIFY. A dead leader is replaced after `lockTtl`, one that
 * resigns at once.
 */
export class PostgresFeedElectionBackend extends LeaseElectionBackend {
  /** @param pool Pool of `pg`. The backend uses one of its clients until {@link close} and does not end the pool. */
  constructor(pool: PgPool, options: PostgresFeedElectionOptions = {}) {
    requirePool(pool);
    const { table = 'leaderfeed', electionName = 'default' } = options;
    super((timeout) => new PostgresFeedStore(pool, table, electionName, timeout), options);
  }
}
