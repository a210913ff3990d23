export { RethinkElectionBackend, type RethinkElectionOptions } from './rethink-election-backend.js';
export type { RethinkChange } from './rethink-feed-store.js';
export {
  RethinkLeaderFeed,
  type RethinkFeedOptions,
  type RethinkStartOptions,
} from './rethink-leader-feed.js';
export type { RethinkConnectionOptions, RethinkDriver } from './rethink-session.js';
