export { BaseLeaderFeed } from './base-leader-feed.js';
export type { Done } from './call-method.js';
export {
  FeedStoppedError,
  type HeartbeatDetails,
  type LeaderFeedEvents,
  type LeaderFeedState,
  type LeaderFeedStatus,
} from './leader-feed-events.js';
export type { LeaderFeedOptions, ResolvedLeaderFeedOptions } from './leader-feed-options.js';
