export {
  RedisFeedElectionBackend,
  type RedisFeedElectionOptions,
  RedisLeaderFeed,
  type RedisStartOptions,
} from './redis-leader-feed.js';
