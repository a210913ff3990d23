/**
 * Elections over channels of Redis.
 *
 * @example
 * ```ts
 * import { RedisLeaderFeed } from '@detector-cluster/leaderfeed/redis';
 *
 * const feed = new RedisLeaderFeed('redis://localhost:6379', { mode: 'strict' });
 * await feed.start({ channel: 'reports' });
 * ```
 * @packageDocumentation
 */
export { RedisLeaderFeed, type RedisStartOptions } from './redis-leader-feed.js';
export { RedisFeedElectionBackend, type RedisFeedElectionOptions } from './redis-feed-election-backend.js';
