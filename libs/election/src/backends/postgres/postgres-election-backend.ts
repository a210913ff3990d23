import type { ElectionControl, LeaderView } from '../../contract/election-control.js';
import { LeaseBackend } from '../../lease/lease-backend.js';
import { CHANNEL, PostgresLeaseStore } from './postgres-lease-store.js';
import {
  electionTable,
  type PostgresElectionOptions,
  resolvePostgresElectionOptions,
} from './postgres-election-options.js';
import { PostgresConnection, type PostgresSource } from './postgres-connection.js';

/**
 * Elects over one row in PostgreSQL, by compare-and-set and the server's clock; changes are announced with NOTIFY.
 *
 * The leader renews every `heartbeatInterval` and may act until 98 % of `lockTtl` after it sent a renewal. A leader
 * that is killed, freezes or is cut off is replaced at most 0.25 s after its lease expires. A leader that resigns is replaced at
 * once.
 *
 * The backend has one connection, for statements and for news. Through a pooler such as PgBouncer it does not listen, because the
 * pooler would share that session. Followers then notice changes within `checkInterval`.
 */
export class PostgresElectionBackend extends LeaseBackend {
  private readonly connection: PostgresConnection;

  /** Throws a `RangeError` that names all options that are wrong. Connects with the first campaign. */
  constructor(options: PostgresElectionOptions) {
    const { postgres, lockName, table, commandTimeout, clock, random, ...timing } =
      resolvePostgresElectionOptions(options);
    const connection = new PostgresConnection(postgres, commandTimeout, CHANNEL);
    super({
      name: 'postgres',
      store: new PostgresLeaseStore(connection, lockName, table),
      timing,
      // The connection has its own limits, for connecting and for a statement.
      callTimeout: 2 * commandTimeout + 100,
      clock,
      random,
    });
    this.connection = connection;
  }

  override async close(): Promise<void> {
    await super.close();
    this.connection.close();
  }
}

/** Longest time of a statement. Milliseconds. */
const TIMEOUT = 3_000;

/** A request that no leader has read expires after this time. Milliseconds. */
const REQUEST_TTL = 60_000;

/** Renews nothing. */
const LOOK = { owner: '', candidateId: '', ttl: 0 };

/**
 * An {@link ElectionControl} for an election in PostgreSQL. A request is a separate lease in the same table, named
 * `<lockName>/resign`, whose owner is the term.
 */
export class PostgresElectionControl implements ElectionControl {
  private readonly connection: PostgresConnection;
  private readonly election: PostgresLeaseStore;
  private readonly request: PostgresLeaseStore;

  constructor(options: {
    readonly postgres: PostgresSource;
    readonly lockName: string;
    readonly table?: string | undefined;
  }) {
    const { postgres, lockName } = options;
    const table = electionTable(postgres, options.table);
    this.connection = new PostgresConnection(postgres, TIMEOUT, CHANNEL);
    this.election = new PostgresLeaseStore(this.connection, lockName, table);
    this.request = new PostgresLeaseStore(this.connection, `${lockName}/resign`, table);
  }

  async leader(): Promise<LeaderView | null> {
    await this.election.prepare();
    const { leaderId, term } = await this.election.renew(LOOK);
    return leaderId === null ? null : { leaderId, term };
  }

  async requestResign(term: number): Promise<void> {
    await this.request.prepare();
    const { owner } = await this.request.renew(LOOK);
    if (owner !== null) await this.request.release({ ...LOOK, owner });
    const claim = { owner: String(term), candidateId: 'request', ttl: REQUEST_TTL };
    await this.request.acquire({ ...claim, floor: 0, floorTtl: 0, claimedFor: 0 });
  }

  async isResignRequested(term: number): Promise<boolean> {
    await this.request.prepare();
    return (await this.request.renew(LOOK)).owner === String(term);
  }

  close(): Promise<void> {
    this.connection.close();
    return Promise.resolve();
  }
}
