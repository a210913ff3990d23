import { PostgresLeaderFeed } from './stores/postgres/postgres-leader-feed.js';
import { RedisLeaderFeed } from './stores/redis/redis-leader-feed.js';

/** One class for each store. */
export const LeaderFeed = {
  Redis: RedisLeaderFeed,
  Postgres: PostgresLeaderFeed,
} as const;
export { LeaderFeed as default };

export * from './base/index.js';
export type { LeaseElectionOptions } from './lease/lease-election-backend.js';
export type { LeaderFeedMode, StoreLeaderFeedOptions } from './stores/store-leader-feed.js';
