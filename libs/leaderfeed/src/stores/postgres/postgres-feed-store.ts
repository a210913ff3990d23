import { createHash } from 'node:crypto';
import { PostgresLease } from '@detector-cluster/election/internal';
import {
  type FeedStore,
  type FeedStoreListener,
  type NewFeedRecord,
  parseFeedRecord,
} from '../../lease/feed-store.js';
import { type PgPool, PostgresSession } from './postgres-session.js';
import { createTableSql, quoteTable, writeRecordSql } from './postgres-sql.js';

/** Maximum length of a channel's name; PostgreSQL truncates longer ones. Bytes. */
const MAX_CHANNEL = 63;

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
    this.lease = new PostgresLease(this.session, { table: this.table, name: row, channel: this.channel });
  }

  async open(): Promise<void> {
    await this.session.open();
  }

  create(): Promise<void> {
    return this.lease.ensureTable(createTableSql(this.table));
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
    else if (this.lease.readNews(payload)) this.listener?.leaseChanged();
    else this.listener?.changed({ channel: this.channel, payload });
  }
}

/** The channel of an election: `<table>:<row>`, or a digest if that is too long. */
export function postgresChannel(table: string, row: string): string {
  const channel = `${table}:${row}`;
  if (Buffer.byteLength(channel) <= MAX_CHANNEL) return channel;
  return `leaderfeed:${createHash('sha256').update(channel).digest('hex').slice(0, 40)}`;
}
