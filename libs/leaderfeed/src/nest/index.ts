/**
 * A feed as a Nest module.
 *
 * @example
 * ```ts
 * import { LeaderFeedModule } from '@detector-cluster/leaderfeed/nest';
 * import { RedisLeaderFeed } from '@detector-cluster/leaderfeed/redis';
 * import { Module } from '@nestjs/common';
 *
 * @Module({
 *   imports: [
 *     LeaderFeedModule.forRootAsync({
 *       useFactory: () => ({
 *         feed: new RedisLeaderFeed('redis://localhost:6379', { mode: 'strict' }),
 *         start: { channel: 'reports' },
 *       }),
 *     }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
export {
  FeedLeadership,
  FeedNotStartedError,
  type LeaderFeedModuleOptions,
  type LeaderFeedModuleOptionsFactory,
} from './feed-leadership.js';
export {
  DEFAULT_FEED_NAME,
  getLeaderFeedOptionsToken,
  getLeaderFeedToken,
  InjectLeaderFeed,
  LEADER_FEED_OPTIONS,
  LeaderFeedModule,
} from './leader-feed.module.js';
