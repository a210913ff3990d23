/**
 * Elections over changefeeds of RethinkDB.
 *
 * @example
 * ```ts
 * import { RethinkLeaderFeed } from '@detector-cluster/leaderfeed/rethinkdb';
 * import { r } from 'rethinkdb-ts';
 *
 * const feed = new RethinkLeaderFeed(r, 'app', { mode: 'strict' });
 * await feed.start({ table: 'reports' });
 * ```
 * @packageDocumentation
 */
export {
  type RethinkFeedOptions,
  RethinkLeaderFeed,
  type RethinkStartOptions,
} from './rethink-leader-feed.js';
export { RethinkElectionBackend, type RethinkElectionOptions } from './rethink-election-backend.js';
export type { RethinkChange } from './rethink-feed-store.js';
export type { RethinkConnectionOptions, RethinkDriver } from './rethink-session.js';
