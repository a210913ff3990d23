import type { Db, MongoClient, MongoClientOptions } from 'mongodb';
import { LONG_POLL, MIN_TIMEOUT, type MongoConnection } from './mongo-feed-store.js';

/** The part of the module `mongodb` that the feed uses. */
export interface MongoDriver {
  readonly MongoClient: new (url: string, options?: MongoClientOptions) => MongoClient;
}

/** A database of the application, or the driver and a URL for an own connection. */
export type MongoSource = { readonly db: Db } | { readonly driver: MongoDriver; readonly url: string };

/** Throws a `TypeError` if the source is neither. */
export function mongoSource(first: unknown, url: unknown): MongoSource {
  if (typeof (first as Partial<Db> | undefined)?.collection === 'function') return { db: first as Db };
  if (typeof (first as Partial<MongoDriver> | undefined)?.MongoClient !== 'function')
    throw new TypeError("give the module 'mongodb' and a URL, or a database, e.g. client.db('name')");
  if (typeof url !== 'string' || !/^mongodb(\+srv)?:\/\/./.test(url))
    throw new TypeError('url must begin with mongodb:// or mongodb+srv://');
  return { driver: first as MongoDriver, url };
}

/** Opens the application's database or an own connection. */
export function mongoConnection(source: MongoSource, options: MongoClientOptions): MongoConnection {
  if ('db' in source) return { db: source.db };
  const client = new source.driver.MongoClient(source.url, {
    // Bounds every call, so that neither a renewal nor the end of the feed hangs on a dead connection.
    serverSelectionTimeoutMS: MIN_TIMEOUT,
    connectTimeoutMS: MIN_TIMEOUT,
    socketTimeoutMS: LONG_POLL + MIN_TIMEOUT,
    maxPoolSize: 5,
    ...options,
  });
  return { db: client.db(), client };
}
