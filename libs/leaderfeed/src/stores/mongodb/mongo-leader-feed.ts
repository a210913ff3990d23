import type { Collection, Db, MongoClientOptions } from 'mongodb';
import { requireName } from '../../lease/feed-store.js';
import {
  splitFeedOptions,
  StoreLeaderFeed,
  type StoreLeaderFeedOptions,
} from '../../lease/store-leader-feed.js';
import { mongoConnection, type MongoDriver, mongoSource, type MongoSource } from './mongo-connection.js';
import { cappedSize, type CappedSize, MongoFeedStore } from './mongo-feed-store.js';

export interface MongoFeedOptions extends StoreLeaderFeedOptions, CappedSize {}

export interface MongoStartOptions {
  /** Name of a collection used for nothing else. It has to be capped, so let the feed create it. */
  readonly collection: string;
}

/**
 * An election over a capped collection of MongoDB 5.0 or newer that is followed with a tailable cursor. Other documents in the
 * collection are emitted as `change`.
 */
export class MongoLeaderFeed extends StoreLeaderFeed<MongoStartOptions> {
  private readonly source: MongoSource;
  private readonly size: CappedSize;
  private readonly clientOptions: MongoClientOptions;

  /** @param options Also those of `MongoClient`. */
  constructor(driver: MongoDriver, url: string, options?: MongoFeedOptions & MongoClientOptions);
  /** @param db Database of a connected client, which the feed does not close. */
  constructor(db: Db, options?: MongoFeedOptions);
  constructor(
    first: MongoDriver | Db,
    second?: string | MongoFeedOptions,
    third?: MongoFeedOptions & MongoClientOptions,
  ) {
    const source = mongoSource(first, second);
    const given = ('db' in source ? (second as MongoFeedOptions | undefined) : third) ?? {};
    const [feed, { collectionSizeBytes, collectionMaxDocs, ...clientOptions }] = splitFeedOptions(given);
    super(feed);
    this.source = source;
    this.size = cappedSize({ collectionSizeBytes, collectionMaxDocs });
    this.clientOptions = clientOptions;
  }

  /** While the feed is started. */
  get db(): Db | undefined {
    return (this.store as MongoFeedStore | undefined)?.database;
  }

  /** While the feed is started. */
  get collection(): Collection | undefined {
    return (this.store as MongoFeedStore | undefined)?.collection;
  }

  protected createStore({ collection }: MongoStartOptions, timeout: number): MongoFeedStore {
    requireName('collection', collection);
    const { source, clientOptions, size } = this;
    return new MongoFeedStore(() => mongoConnection(source, clientOptions), collection, size, timeout);
  }
}
