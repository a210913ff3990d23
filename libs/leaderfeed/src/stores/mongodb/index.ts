export type { MongoDriver } from './mongo-connection.js';
export {
  MongoElectionBackend,
  type MongoElectionOptions,
  MongoLeaderFeed,
  type MongoFeedOptions,
  type MongoStartOptions,
} from './mongo-leader-feed.js';
export type { CappedSize } from './mongo-feed-store.js';
