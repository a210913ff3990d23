import type { Db, MongoClientOptions } from 'mongodb';
import { LeaseElectionBackend, type LeaseElectionOptions } from '../../lease/lease-election-backend.js';
import { mongoConnection, type MongoDriver, mongoSource } from './mongo-connection.js';
import { type CappedSize, cappedSize, MongoFeedStore } from './mongo-feed-store.js';

export interface MongoElectionOptions extends LeaseElectionOptions, CappedSize {
  /** The driver and a URL for an own connection, */
  readonly driver?: MongoDriver;
  readonly url?: string;
  readonly clientOptions?: MongoClientOptions;
  /** or a database of a connected client, which the backend does not close. */
  readonly db?: Db;
  /** Candidates with the same collection compete. Created if it is missing. Default `leaderfeed`. */
  readonly collection?: string;
}

/** Strict elections over MongoDB 5.0 or newer. A dead leader is replaced after `lockTtl`, one that resigns at once. */
export class MongoElectionBackend extends LeaseElectionBackend {
  constructor(options: MongoElectionOptions) {
    const { driver, url, db, clientOptions = {}, collection = 'leaderfeed' } = options;
    const { collectionSizeBytes, collectionMaxDocs } = options;
    const source = mongoSource(db ?? driver, url);
    const size = cappedSize({ collectionSizeBytes, collectionMaxDocs });
    const connect = () => mongoConnection(source, clientOptions);
    super((timeout) => new MongoFeedStore(connect, collection, size, timeout), options);
  }
}
