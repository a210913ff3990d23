import { createHash } from 'node:crypto';
import type { LeaseClaim, LeaseStore, LeaseView } from '../../lease/lease-store.js';
import {
  type FeedStore,
  type FeedStoreListener,
  type NewFeedRecord,
  parseFeedRecord,
} from '../feed-store.js';
import { type PgPool, PostgresSession, type Row } from './postgres-session.js';
import {
  acquireLeaseSql,
  createTableSql,
  nominateSql,
  quoteTable,
  releaseLeaseSql,
  renewLeaseSql,
  writeRecordSql,
} from './postgres-sql.js';

/** Maximum length of a channel's name; PostgreSQL truncates longer ones. Bytes. */
const LONGEST_CHANNEL = 63;

/** Lock key for creating the table, because concurrent creations conflict. Any number that no other program locks on. */
const CREATE_LOCK = 709_312_458;

/** One row of a table and a channel of LISTEN and NOTIFY, over one client of the pool. */
export class PostgresFeedStore implements FeedStore {
  readonly name = 'postgres';
  readonly lease: PostgresLease;
  private readonly session: PostgresSession;
  private readonly table: string;
  private readonly channel: string;
  private readonly writeRecord: string;
  private listener: FeedStoreListener | undefined;

  /**
   * @param table `name` or `schema.name`.
   * @param row Name of the election.
   * @param timeout Timeout of each call. Milliseconds.
   */
  constructor(
    pool: PgPool,
    table: string,
    private readonly row: string,
    timeout: number,
  ) {
    this.table = quoteTable(table);
    this.channel = postgresChannel(table, row);
    this.writeRecord = writeRecordSql(this.table);
    this.session = new PostgresSession(pool, timeout, (channel, payload) => {
      if (channel === this.channel) this.hear(payload);
    });
    this.lease = new PostgresLease(this.session, this.table, row, this.channel);
  }

  async open(): Promise<void> {
    await this.session.open();
  }

  async create(): Promise<void> {
    const exists = await this.session.query('SELECT to_regclass($1) IS NOT NULL AS exists', [this.table]);
    if (exists[0]!.exists) return;
    // The lock ends with the transaction, which is this query.
    await this.session.query(
      `DO $do$ BEGIN PERFORM pg_advisory_xact_lock(${CREATE_LOCK}); ${createTableSql(this.table)}; END $do$`,
    );
  }

  async subscribe(listener: FeedStoreListener): Promise<void> {
    this.listener = listener;
    await this.session.listen(`LISTEN "${this.channel.replaceAll('"', '""')}"`, (error) => {
      this.listener = undefined;
      listener.failed(error);
    });
  }

  unsubscribe(): Promise<void> {
    // The session stays open. Notifications that still arrive are ignored.
    this.listener = undefined;
    this.session.mute();
    return Promise.resolve();
  }

  async write({ leader, by, kind, election }: NewFeedRecord): Promise<void> {
    await this.session.query(this.writeRecord, [this.row, leader, by, kind, election, this.channel]);
  }

  close(): Promise<void> {
    this.listener = undefined;
    this.session.close();
    return Promise.resolve();
  }

  private hear(payload: string): void {
    const record = parseFeedRecord(payload);
    if (record) this.listener?.heard(record);
    else if (/^\{"lease" ?: ?\d+\}$/.test(payload)) this.listener?.leaseChanged();
    else this.listener?.changed({ channel: this.channel, payload });
  }
}

/** The channel of an election: `<table>:<row>`, or a digest if that is too long. */
export function postgresChannel(table: string, row: string): string {
  const channel = `${table}:${row}`;
  if (Buffer.byteLength(channel) <= LONGEST_CHANNEL) return channel;
  return `leaderfeed:${createHash('sha256').update(channel).digest('hex').slice(0, 40)}`;
}

const VACANT: LeaseView = { owner: null, leaderId: null, term: 0, remaining: 0, successor: null };

/** The lease as columns of a row; one statement for each call. */
class PostgresLease implements LeaseStore {
  private readonly statements: Readonly<Record<'acquire' | 'renew' | 'release' | 'nominate', string>>;

  constructor(
    private readonly session: PostgresSession,
    table: string,
    private readonly name: string,
    private readonly channel: string,
  ) {
    this.statements = {
      acquire: acquireLeaseSql(table),
      renew: renewLeaseSql(table),
      release: releaseLeaseSql(table),
      nominate: nominateSql(table),
    };
  }

  async acquire({ owner, candidateId, ttl, floor }: LeaseClaim & { floor: number }): Promise<LeaseView> {
    const values = [this.name, owner, candidateId, ttl, floor, this.channel];
    return viewOf(await this.session.query(this.statements.acquire, values));
  }

  async renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    return viewOf(await this.session.query(this.statements.renew, [this.name, owner, ttl]));
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    await this.session.query(this.statements.release, [this.name, owner, ttl, this.channel]);
  }

  async nominate(candidateId: string, ttl: number): Promise<void> {
    await this.session.query(this.statements.nominate, [this.name, candidateId, ttl, this.channel]);
  }
}

function viewOf([row]: Row[]): LeaseView {
  if (!row) return VACANT;
  const remaining = Number(row.remaining);
  const held = remaining > 0;
  return {
    owner: held ? (row.owner as string | null) : null,
    leaderId: held ? (row.leader as string | null) : null,
    term: Number(row.term),
    remaining,
    successor: row.successor as string | null,
  };
}
