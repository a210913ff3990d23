import type { ElectionControl, LeaderView } from '../../contract/election-control.js';
import { CHANNEL, PostgresLeaseStore } from './postgres-lease-store.js';
import { electionTable } from './postgres-election-options.js';
import { PostgresConnection, type PostgresSource } from './postgres-connection.js';

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
