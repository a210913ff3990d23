export {
  RethinkElectionBackend,
  type RethinkElectionOptions,
  RethinkLeaderFeed,
  type RethinkFeedOptions,
  type RethinkStartOptions,
} from './rethink-leader-feed.js';
export type { RethinkChange } from './rethink-feed-store.js';
export type { RethinkConnectionOptions, RethinkDriver } from './rethink-session.js';
