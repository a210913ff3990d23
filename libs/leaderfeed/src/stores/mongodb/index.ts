export type { MongoDriver } from './mongo-connection.js';
export { MongoElectionBackend, type MongoElectionOptions } from './mongo-election-backend.js';
export type { CappedSize } from './mongo-feed-store.js';
export { MongoLeaderFeed, type MongoFeedOptions, type MongoStartOptions } from './mongo-leader-feed.js';
