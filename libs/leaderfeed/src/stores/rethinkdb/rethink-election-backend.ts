import { systemClock } from '@detector-cluster/election';
import { LeaseElectionBackend, type LeaseElectionOptions } from '../../lease/lease-election-backend.js';
import { requireDriver, type RethinkConnectionOptions, type RethinkDriver } from './rethink-session.js';
import { RethinkFeedStore } from './rethink-feed-store.js';

export interface RethinkElectionOptions extends LeaseElectionOptions {
  /** `r` of `rethinkdb-ts`. */
  readonly driver: RethinkDriver;
  /** Options of `r.connect`. Default: localhost. */
  readonly connection?: RethinkConnectionOptions;
  /** Default `test`. */
  readonly db?: string;
  /** Candidates with the same table compete. Default `leaderfeed`. */
  readonly table?: string;
  /** Whether the backend creates the database and the table if they are missing. Default true. */
  readonly createIfMissing?: boolean;
}

/** Strict elections over RethinkDB 2.4 or newer. A dead leader is replaced after `lockTtl`, one that resigns at once. */
export class RethinkElectionBackend extends LeaseElectionBackend {
  constructor(options: RethinkElectionOptions) {
    const { driver: r, connection: connectionOptions = {}, db = 'test', table = 'leaderfeed' } = options;
    requireDriver(r);
    const { createIfMissing, clock = systemClock } = options;
    const place = { r, db, table, connectionOptions, createIfMissing, clock };
    super((timeout) => new RethinkFeedStore(place, timeout), options);
  }
}
