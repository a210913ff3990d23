import type { Candidate } from '../../contract/candidate.js';
import type { ElectionBackend } from '../../contract/election-backend.js';
import type { ElectionState } from '../../contract/election-state.js';
import { pause } from '../../util/pause.js';
import { PostgresCampaign, type PostgresMemory } from './campaign/postgres-campaign.js';
import {
  resolvePostgresElectionOptions,
  type PostgresElectionOptions,
  type ResolvedPostgresElectionOptions,
} from './postgres-election-options.js';
import { PostgresConnection } from './store/postgres-connection.js';
import { CHANNEL, PostgresLeaseStore, readLeaseNews } from './store/postgres-lease-store.js';

/**
 * Elects over one row in PostgreSQL, by compare-and-set and the server's clock; changes are announced with NOTIFY.
 *
 * The leader renews every `heartbeatInterval` and may act until 98 % of `lockTtl` after it sent a renewal. One that is killed,
 * freezes or is cut off is replaced when its lease runs out, at most 0.25 s later; one that resigns, at once.
 *
 * One connection, for statements and for news. Through a pooler that pools transactions, such as PgBouncer, no news arrive, and
 * followers notice changes within `checkInterval`.
 */
export class PostgresElectionBackend implements ElectionBackend {
  readonly name = 'postgres';
  private readonly options: ResolvedPostgresElectionOptions;
  private readonly connection: PostgresConnection;
  private readonly store: PostgresLeaseStore;
  private readonly memory: PostgresMemory = { floor: 0, owed: new Set() };
  private readonly closing = new AbortController();
  private current: PostgresCampaign | undefined;
  /** Settles when the last campaign has ended. */
  private ended: Promise<void> = Promise.resolve();

  /** Throws a `RangeError` that names all options that are wrong. Connects with the first campaign. */
  constructor(options: PostgresElectionOptions) {
    this.options = resolvePostgresElectionOptions(options);
    const { postgres, lockName, table, lockTtl, commandTimeout } = this.options;
    this.connection = new PostgresConnection(postgres, commandTimeout, CHANNEL, {
      message: (payload) => {
        const news = readLeaseNews(payload, lockName);
        if (news) this.current?.hear(news);
      },
      listening: () => this.current?.turnNow(),
      broken: (error) => this.current?.broken(error),
    });
    this.store = new PostgresLeaseStore(this.connection, lockName, table, lockTtl);
  }

  get lockTtl(): number {
    return this.options.lockTtl;
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.current) throw new Error('a campaign of this backend is already under way');
    const { store, options, memory } = this;
    const campaign = new PostgresCampaign({
      store,
      options,
      memory,
      candidateId: candidate.id,
      signal: AbortSignal.any([signal, this.closing.signal]),
      consumer: signal,
    });
    this.current = campaign;
    let ended!: () => void;
    this.ended = new Promise((resolve) => (ended = resolve));
    try {
      yield* campaign.states();
    } finally {
      this.current = undefined;
      ended();
    }
  }

  async resign(): Promise<void> {
    await this.current?.resign();
  }

  async close(): Promise<void> {
    this.closing.abort();
    // A consumer that reads on steps down first; one that does not is not waited for.
    const patience = new AbortController();
    await Promise.race([this.ended, pause(this.options.commandTimeout, this.options.clock, patience.signal)]);
    patience.abort();
    await this.current?.release();
    this.connection.close();
  }
}
