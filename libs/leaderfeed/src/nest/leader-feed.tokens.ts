import type { InjectionToken } from '@nestjs/common';
import { FeedLeadership } from './feed-leadership.js';

/** Name of the feed that `forRoot` sets up without a name. */
export const DEFAULT_FEED_NAME = 'default';

/** Injection token of the options given to `forRoot`. */
export const LEADER_FEED_OPTIONS = Symbol('LEADER_FEED_OPTIONS');

/** Injection token of a feed: the class `FeedLeadership` for the one without a name, else a symbol. */
export function getLeaderFeedToken(name: string = DEFAULT_FEED_NAME): InjectionToken<FeedLeadership> {
  return name === DEFAULT_FEED_NAME ? FeedLeadership : Symbol.for(`LeaderFeed:${name}`);
}
