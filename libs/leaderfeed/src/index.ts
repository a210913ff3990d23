/**
 * Elections over changefeeds, with one class for each store.
 *
 * @example
 * ```ts
 * import { LeaderFeed } from '@detector-cluster/leaderfeed';
 *
 * const feed = new LeaderFeed.Redis('redis://localhost:6379', { mode: 'strict' });
 * feed.on('new leader', (id) => console.log('the leader is', id));
 * await feed.start({ channel: 'reports' });
 * if (feed.isLeader) console.log('acting');
 * await feed.stop();
 * ```
 * @packageDocumentation
 */
import { MongoLeaderFeed } from './stores/mongodb/mongo-leader-feed.js';
import { PostgresLeaderFeed } from './stores/postgres/postgres-leader-feed.js';
import { RedisLeaderFeed } from './stores/redis/redis-leader-feed.js';
import { RethinkLeaderFeed } from './stores/rethinkdb/rethink-leader-feed.js';

/** One class for each store. */
export const LeaderFeed = {
  MongoDB: MongoLeaderFeed,
  Redis: RedisLeaderFeed,
  Postgres: PostgresLeaderFeed,
  RethinkDB: RethinkLeaderFeed,
} as const;
export { LeaderFeed as default };

export {
  FeedStoppedError,
  type HeartbeatDetails,
  type LeaderFeedEvents,
  type LeaderFeedOptions,
  type LeaderFeedState,
  type LeaderFeedStatus,
} from './base/index.js';
export type { LeaseElectionOptions } from './lease/lease-election-backend.js';
export type { LeaderFeedMode, StoreLeaderFeedOptions } from './lease/store-leader-feed.js';
