/**
 * Elections over a capped collection of MongoDB.
 *
 * @example
 * ```ts
 * import { MongoLeaderFeed } from '@detector-cluster/leaderfeed/mongodb';
 * import { MongoClient } from 'mongodb';
 *
 * const client = new MongoClient('mongodb://localhost:27017');
 * const feed = new MongoLeaderFeed(client.db('app'), { mode: 'strict' });
 * await feed.start({ collection: 'reports' });
 * ```
 * @packageDocumentation
 */
export type { MongoDriver } from './mongo-connection.js';
export { type MongoFeedOptions, MongoLeaderFeed, type MongoStartOptions } from './mongo-leader-feed.js';
export { MongoElectionBackend, type MongoElectionOptions } from './mongo-election-backend.js';
export type { CappedSize } from './mongo-feed-store.js';
