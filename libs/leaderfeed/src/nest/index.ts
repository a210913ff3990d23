export { FeedLeadership } from './feed-leadership.js';
export { FeedNotStartedError } from './feed-not-started.error.js';
export { InjectLeaderFeed } from './inject-leader-feed.decorator.js';
export type {
  LeaderFeedModuleOptions,
  LeaderFeedModuleOptionsFactory,
} from './leader-feed-module-options.js';
export { LeaderFeedModule } from './leader-feed.module.js';
export {
  DEFAULT_FEED_NAME,
  getLeaderFeedOptionsToken,
  getLeaderFeedToken,
  LEADER_FEED_OPTIONS,
} from './leader-feed.tokens.js';
