import type { Clock } from '@detector-cluster/election';
import { toError } from '@detector-cluster/election/internal';
import type { Connection, RCursor, RDatum, RTable } from 'rethinkdb-ts';
import {
  type FeedStore,
  type FeedStoreListener,
  type NewFeedRecord,
  toFeedRecord,
} from '../../lease/feed-store.js';
import { CREATION_TIMEOUT, RethinkCreation } from './rethink-creation.js';
import { LEASE_ID, RethinkLease } from './rethink-lease.js';
import { type RethinkConnectionOptions, type RethinkDriver, RethinkSession } from './rethink-session.js';

/** Primary key of the record in the table of the election. */
const RECORD_ID = 'leaderfeed';

/** Minimum timeout of a new connection, which is slow on a busy machine. Milliseconds. */
const MIN_TIMEOUT = 2_000;

type Row = Record<string, unknown>;

/** Result of a write. An error on a document does not fail the query. */
interface WriteResult {
  readonly errors: number;
  readonly first_error?: string;
}

/** An element of the changefeed in place of changes that the server skipped because the listener was too slow. */
interface Overflow {
  readonly error: string;
}

export interface RethinkChange {
  readonly old_val: Row | null;
  readonly new_val: Row | null;
}

export interface RethinkPlace {
  readonly r: RethinkDriver;
  readonly db: string;
  readonly table: string;
  readonly connectionOptions: RethinkConnectionOptions;
  /** An open connection of the application, which the store does not close. */
  readonly connection?: Connection;
  /** Default true. */
  readonly createIfMissing?: boolean;
  readonly clock: Clock;
}

/** Two documents of a table, and a changefeed on the table. */
export class RethinkFeedStore implements FeedStore {
  readonly name = 'rethinkdb';
  readonly lease: RethinkLease;
  private readonly session: RethinkSession;
  private feed: RCursor<RethinkChange | Overflow> | undefined;

  /** @param timeout Timeout of each call; at least 2 s. Milliseconds. */
  constructor(
    private readonly place: RethinkPlace,
    timeout: number,
  ) {
    const { r, connectionOptions, connection } = place;
    this.session = new RethinkSession(r, connectionOptions, connection, Math.max(timeout, MIN_TIMEOUT));
    this.lease = new RethinkLease(this.session, () => this.table, place.clock);
  }

  get connection(): Connection | undefined {
    return this.session.connection;
  }

  get table(): RTable {
    const { r, db, table } = this.place;
    return r.db(db).table(table);
  }

  async open(): Promise<void> {
    await this.session.open();
  }

  async create(): Promise<void> {
    const { db, table, createIfMissing = true, clock } = this.place;
    if (createIfMissing) await new RethinkCreation(this.session, clock).ensure(db, table);
    // By default `wait` waits for all replicas.
    const ready = this.table.wait({ waitFor: 'ready_for_writes' });
    await this.session.run(ready as unknown as RDatum, CREATION_TIMEOUT);
  }

  async subscribe(listener: FeedStoreListener): Promise<void> {
    const connection = await this.session.connect();
    const running = this.table.changes().run(connection) as unknown as Promise<
      RCursor<RethinkChange | Overflow>
    >;
    const feed = await this.session.bounded(running);
    this.feed = feed;
    void this.follow(feed, listener);
  }

  async unsubscribe(): Promise<void> {
    const { feed } = this;
    this.feed = undefined;
    await feed?.close().catch(() => undefined);
  }

  async write({ leader, by, kind, election }: NewFeedRecord): Promise<void> {
    const { r } = this.place;
    const at = r.now().toEpochTime().mul(1_000);
    const { errors, first_error: problem } = await this.session.run<WriteResult>(
      this.table.get(RECORD_ID).replace((row: RDatum) => {
        const known = row('election').default(0);
        const next = r.expr([known.add(1), election]).max();
        const record = { id: RECORD_ID, leader, by, kind, at, election: kind === 'elect' ? next : election };
        // Drop a late heartbeat of an earlier election.
        return kind === 'elect' ? record : r.branch(known.le(election), record, row);
      }) as unknown as RDatum,
    );
    if (errors > 0)
      throw new Error(
        `RethinkDB refused to write the document '${RECORD_ID}' of ${this.place.table}: ${problem}`,
      );
  }

  async close(): Promise<void> {
    await this.unsubscribe();
    this.session.close();
  }

  private async follow(feed: RCursor<RethinkChange | Overflow>, listener: FeedStoreListener): Promise<void> {
    try {
      while (this.feed === feed) {
        const change = await feed.next();
        if (this.feed !== feed) return;
        if ('error' in change) await this.catchUp(listener);
        else this.hear(change, listener);
      }
    } catch (error) {
      if (this.feed !== feed) return;
      this.feed = undefined;
      listener.failed(toError(error));
    }
  }

  private hear(change: RethinkChange, listener: FeedStoreListener): void {
    const { old_val: before, new_val: after } = change;
    const id = (after ?? before)?.id;
    if (id === RECORD_ID) {
      const record = toFeedRecord(after);
      if (record) listener.heard(record);
    } else if (id === LEASE_ID) {
      if (this.lease.heard(before, after)) listener.leaseChanged();
    } else listener.changed(change);
  }

  /** The server skipped changes: reads the documents that may have changed. */
  private async catchUp(listener: FeedStoreListener): Promise<void> {
    const row = await this.session.run<Row | null>(this.table.get(RECORD_ID) as unknown as RDatum);
    const record = toFeedRecord(row);
    if (record) listener.heard(record);
    listener.leaseChanged();
  }
}
