export { RedisFeedElectionBackend, type RedisFeedElectionOptions } from './redis-feed-election-backend.js';
export { RedisLeaderFeed, type RedisStartOptions } from './redis-leader-feed.js';
