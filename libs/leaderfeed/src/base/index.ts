export { BaseLeaderFeed } from './base-leader-feed.js';
export type { Done } from './call-method.js';
export { FeedStoppedError } from './feed-stopped.error.js';
export type { HeartbeatDetails } from './heartbeat-details.js';
export type { LeaderFeedEvents, LeaderFeedState, LeaderFeedStatus } from './leader-feed-events.js';
export type { LeaderFeedOptions, ResolvedLeaderFeedOptions } from './leader-feed-options.js';
