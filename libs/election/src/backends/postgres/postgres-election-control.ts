import type { ElectionControl, LeaderView } from '../../contract/election-control.js';
import { ELECTION_TABLE } from './election-table-sql.js';
import { PostgresConnection, type PostgresSource } from './store/postgres-connection.js';
import { CHANNEL, PostgresLeaseStore } from './store/postgres-lease-store.js';

/** Longest time of a statement. Milliseconds. */
const TIMEOUT = 3_000;

/** A request that nobody heard is forgotten after so long. Milliseconds. */
const REQUEST_TTL = 60_000;

const DEAF = { message: () => undefined, listening: () => undefined, broken: () => undefined };

/**
 * An election in PostgreSQL as seen from outside, see {@link ElectionControl}. A request is a lease of its own in the same table,
 * named `<lockName>/resign`, whose owner is the term.
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
    const { postgres, lockName, table = ELECTION_TABLE } = options;
    this.connection = new PostgresConnection(postgres, TIMEOUT, CHANNEL, DEAF);
    this.election = new PostgresLeaseStore(this.connection, lockName, table, REQUEST_TTL);
    this.request = new PostgresLeaseStore(this.connection, `${lockName}/resign`, table, REQUEST_TTL);
  }

  async leader(): Promise<LeaderView | null> {
    await this.election.prepare();
    const { candidateId, term } = await this.election.look();
    return candidateId === null ? null : { leaderId: candidateId, term };
  }

  async requestResign(term: number): Promise<void> {
    await this.request.prepare();
    const { owner } = await this.request.look();
    if (owner !== null) await this.request.release(owner);
    await this.request.acquire(String(term), 'request', 0);
  }

  async isResignRequested(term: number): Promise<boolean> {
    await this.request.prepare();
    return (await this.request.look()).owner === String(term);
  }

  close(): Promise<void> {
    this.connection.close();
    return Promise.resolve();
  }
}
