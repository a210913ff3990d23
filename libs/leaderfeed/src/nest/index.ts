export { FeedLeadership } from './feed-leadership.js';
export {
  FeedNotStartedError,
  type LeaderFeedModuleOptions,
  type LeaderFeedModuleOptionsFactory,
} from './leader-feed-module-options.js';
export {
  DEFAULT_FEED_NAME,
  getLeaderFeedOptionsToken,
  getLeaderFeedToken,
  InjectLeaderFeed,
  LEADER_FEED_OPTIONS,
} from './leader-feed.tokens.js';
export { LeaderFeedModule } from './leader-feed.module.js';
