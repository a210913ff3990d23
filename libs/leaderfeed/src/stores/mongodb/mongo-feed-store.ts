import { systemClock } from '@detector-cluster/election';
import { toError } from '@detector-cluster/election/internal';
import type { Collection, Db, Document, FindCursor, MongoClient, ObjectId } from 'mongodb';
import { bounded } from '@detector-cluster/election/lease';
import {
  type FeedStore,
  type FeedStoreListener,
  type NewFeedRecord,
  toFeedRecord,
} from '../../lease/feed-store.js';
import { type LeaseCollection, MongoLease } from './mongo-lease.js';

/** How long the server waits for a new document before it answers that there is none. Milliseconds. */
export const LONG_POLL = 1_000;

/** More documents than a collection of leaderfeed holds, so that the first answer contains all of them. */
const BATCH = 10_000;

/** Follows a capped collection from now on. */
class MongoTail {
  private readonly cursor: FindCursor<Document>;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    collection: Collection,
    private readonly heard: (document: Document) => void,
    private readonly failed: (error: Error) => void,
  ) {
    const options = { tailable: true, awaitData: true, maxAwaitTimeMS: LONG_POLL, batchSize: BATCH };
    this.cursor = collection.find({}, options);
  }

  /**
   * Resolves with false if the collection is empty, because a cursor on an empty collection ends at once. The collection keeps old
   * documents: the first answer contains only those, so they are skipped.
   */
  async start(): Promise<boolean> {
    if (!(await this.cursor.tryNext())) return false;
    this.cursor.readBufferedDocuments();
    this.running = this.follow();
    return true;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.cursor.close().catch(() => undefined);
    await this.running;
  }

  private async follow(): Promise<void> {
    while (!this.stopped)
      try {
        const document = await this.cursor.tryNext();
        if (this.stopped) return;
        if (document) this.heard(document);
        else if (this.cursor.closed) throw new Error('the server ended the cursor');
      } catch (error) {
        if (this.stopped) return;
        this.stopped = true;
        // Do not wait: the connection may be dead.
        void this.cursor.close().catch(() => undefined);
        this.failed(toError(error));
      }
  }
}

/** A connection to a database, and the client to close if it is an own one. */
export interface MongoConnection {
  readonly db: Db;
  readonly client?: MongoClient;
}

export interface CappedSize {
  /** Size of the collection, used when the feed creates it. Bytes; default 100,000. */
  readonly collectionSizeBytes?: number;
  /** Number of documents after which the oldest are overwritten. Default 20. */
  readonly collectionMaxDocs?: number;
}

const NAMESPACE_EXISTS = 48;

/** Minimum timeout of a new connection, which is slow on a busy machine. Milliseconds. */
export const MIN_TIMEOUT = 2_000;

/**
 * A capped collection that is followed with a tailable cursor, and in strict mode a document in `<collection>.lease`. The server
 * assigns the `_id` of each document of the feed, which holds the server's time.
 */
export class MongoFeedStore implements FeedStore {
  readonly name = 'mongodb';
  readonly lease: MongoLease;
  private readonly timeout: number;
  private connection: MongoConnection | undefined;
  private opened = false;
  private tail: MongoTail | undefined;

  /**
   * @param connect Called each time the store is opened.
   * @param timeout Timeout of each call; at least 2 s. Milliseconds.
   */
  constructor(
    private readonly connect: () => MongoConnection,
    private readonly collectionName: string,
    private readonly size: CappedSize,
    timeout: number,
  ) {
    this.timeout = Math.max(timeout, MIN_TIMEOUT);
    this.lease = new MongoLease(
      () => this.db.collection(`${collectionName}.lease`) as unknown as LeaseCollection,
      () => this.insert({ leaderfeed: 'lease' }),
      (call) => this.bounded(call),
    );
  }

  /** Set while the store is open. */
  get database(): Db | undefined {
    return this.connection?.db;
  }

  get collection(): Collection | undefined {
    return this.connection?.db.collection(this.collectionName);
  }

  async open(): Promise<void> {
    this.opened = true;
    await this.bounded(this.db.command({ ping: 1 }));
  }

  async create(): Promise<void> {
    const { collectionSizeBytes = 100_000, collectionMaxDocs = 20 } = this.size;
    const name = this.collectionName;
    const [found] = await this.bounded(this.db.listCollections({ name }).toArray());
    if (!found) {
      const options = { capped: true, size: collectionSizeBytes, max: collectionMaxDocs };
      await this.bounded(this.db.createCollection(name, options)).catch((error: { code?: unknown }) => {
        if (error.code !== NAMESPACE_EXISTS) throw error;
      });
    } else if (!(found as { options?: Document }).options?.capped)
      throw new Error(
        `the collection '${name}' exists and is not capped, so that it cannot be followed: ` +
          'give leaderfeed the name of a collection of its own, which it makes',
      );
    await this.lease.ensure();
  }

  async subscribe(listener: FeedStoreListener): Promise<void> {
    if (await this.follow(listener)) return;
    await this.insert({ leaderfeed: 'first' });
    if (!(await this.follow(listener)))
      throw new Error(`there is nothing to follow in ${this.collectionName}`);
  }

  async unsubscribe(): Promise<void> {
    const { tail } = this;
    this.tail = undefined;
    // Bounded, because the server may not answer.
    if (tail) await this.bounded(tail.stop()).catch(() => undefined);
  }

  async write(record: NewFeedRecord): Promise<void> {
    await this.insert({ leaderfeed: record });
  }

  async close(): Promise<void> {
    await this.unsubscribe();
    const { connection } = this;
    this.opened = false;
    this.connection = undefined;
    if (connection?.client) await this.bounded(connection.client.close(true)).catch(() => undefined);
  }

  private get db(): Db {
    if (!this.opened) throw new Error('the connection to MongoDB is closed');
    this.connection ??= this.connect();
    return this.connection.db;
  }

  /** Starts to follow the feed. Returns false when the collection is empty. */
  private async follow(listener: FeedStoreListener): Promise<boolean> {
    const tail = new MongoTail(
      this.db.collection(this.collectionName),
      (document) => hear(document, listener),
      (error) => {
        if (this.tail === tail) listener.failed(error);
      },
    );
    this.tail = tail;
    try {
      return await this.bounded(tail.start());
    } catch (error) {
      void tail.stop();
      throw error;
    }
  }

  private async insert(document: Document): Promise<void> {
    const collection = this.db.collection(this.collectionName);
    await this.bounded(collection.insertOne(document, { forceServerObjectId: true }));
  }

  private async bounded<Result>(call: Promise<Result>): Promise<Result> {
    const { connection } = this;
    try {
      return await bounded('MongoDB', this.timeout, systemClock, call);
    } catch (error) {
      const { name } = error as Error;
      if (name === 'StoreTimeoutError' || name === 'MongoServerSelectionError') this.discard(connection);
      throw error;
    }
  }

  /** Replaces an own client that does not find its server: the client's monitor may be stuck. */
  private discard(connection: MongoConnection | undefined): void {
    if (!connection?.client || connection !== this.connection) return;
    this.connection = undefined;
    connection.client.close(true).catch(() => undefined);
  }
}

function hear(document: Document, listener: FeedStoreListener): void {
  const { leaderfeed: entry, _id: id } = document;
  if (entry === undefined) return listener.changed(document);
  if (entry === 'lease') return listener.leaseChanged();
  if (typeof entry !== 'object') return;
  const record = toFeedRecord({ ...entry, at: timeOf(id as ObjectId) });
  if (record) listener.heard(record);
}

/** Milliseconds: the second, and within it the counter of ids, which puts them in order. */
function timeOf(id: ObjectId): number {
  const counter = Number.parseInt(id.toHexString().slice(-6), 16);
  return id.getTimestamp().getTime() + (counter / 2 ** 24) * 1_000;
}

/** Throws a `RangeError` that names all problems. */
export function cappedSize(size: CappedSize): CappedSize {
  const problems = Object.entries(size)
    .filter(
      ([, value]: [string, unknown]) =>
        value !== undefined && !(Number.isInteger(value) && Number(value) > 0),
    )
    .map(([name, value]) => `${name} must be a positive whole number, not ${String(value)}`);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return size;
}
