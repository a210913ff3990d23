import type { Candidate, ElectionBackend, ElectionState } from '../../contract/election-backend.js';
import { CampaignMemory } from '../../lease/campaign-memory.js';
import { CampaignSeat } from '../../lease/campaign-seat.js';
import { LeaseCampaign } from '../../lease/lease-campaign.js';
import {
  resolvePostgresElectionOptions,
  type PostgresElectionOptions,
  type ResolvedPostgresElectionOptions,
} from './postgres-election-options.js';
import { PostgresConnection } from './store/postgres-connection.js';
import { CHANNEL, PostgresLeaseStore } from './store/postgres-lease-store.js';

/**
 * Elects over one row in PostgreSQL, by compare-and-set and the server's clock; changes are announced with NOTIFY.
 *
 * The leader renews every `heartbeatInterval` and may act until 98 % of `lockTtl` after it sent a renewal. A leader
 * that is killed, freezes or is cut off is replaced at most 0.25 s after its lease expires. A leader that resigns is replaced at
 * once.
 *
 * The backend has one connection, for statements and for news. Through a pooler that pools transactions, such as PgBouncer, no
 * news arrives, and followers notice changes within `checkInterval`.
 */
export class PostgresElectionBackend implements ElectionBackend {
  readonly name = 'postgres';
  private readonly options: ResolvedPostgresElectionOptions;
  private readonly connection: PostgresConnection;
  private readonly store: PostgresLeaseStore;
  private readonly memory = new CampaignMemory();
  private readonly seat: CampaignSeat<LeaseCampaign>;

  /** Throws a `RangeError` that names all options that are wrong. Connects with the first campaign. */
  constructor(options: PostgresElectionOptions) {
    this.options = resolvePostgresElectionOptions(options);
    const { postgres, lockName, table, commandTimeout, clock } = this.options;
    this.connection = new PostgresConnection(postgres, commandTimeout, CHANNEL);
    this.store = new PostgresLeaseStore(this.connection, lockName, table);
    this.seat = new CampaignSeat(clock);
  }

  get lockTtl(): number {
    return this.options.lockTtl;
  }

  campaign(candidate: Candidate, consumer: AbortSignal): AsyncGenerator<ElectionState> {
    const { name, store, memory, options } = this;
    const { clock, random, commandTimeout } = options;
    // The connection has its own limits, for connecting and for a statement.
    const callTimeout = 2 * commandTimeout + 100;
    return this.seat.run(
      consumer,
      (signal) =>
        new LeaseCampaign({
          name,
          store,
          memory,
          timing: options,
          callTimeout,
          candidateId: candidate.id,
          signal,
          consumer,
          clock,
          random,
        }),
    );
  }

  async resign(): Promise<void> {
    await this.seat.current?.resign();
  }

  async close(): Promise<void> {
    await this.seat.close(this.options.commandTimeout);
    this.connection.close();
  }
}
