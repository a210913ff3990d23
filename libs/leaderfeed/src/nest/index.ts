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
