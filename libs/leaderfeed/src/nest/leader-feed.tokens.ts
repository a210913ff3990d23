import { Inject, type InjectionToken } from '@nestjs/common';
import { FeedLeadership } from './feed-leadership.js';
import type { LeaderFeedModuleOptions } from './leader-feed-module-options.js';

/** Name of the feed that `forRoot` sets up without a name. */
export const DEFAULT_FEED_NAME = 'default';

/** Injection token of the options given to `forRoot` without a name. */
export const LEADER_FEED_OPTIONS = Symbol('LEADER_FEED_OPTIONS');

/** Injection token of a feed: the class `FeedLeadership` for the one without a name, else a symbol. */
export function getLeaderFeedToken(name: string = DEFAULT_FEED_NAME): InjectionToken<FeedLeadership> {
  return name === DEFAULT_FEED_NAME ? FeedLeadership : Symbol.for(`LeaderFeed:${name}`);
}

/** Injection token of the options of a feed: `LEADER_FEED_OPTIONS` for the one without a name, else a symbol. */
export function getLeaderFeedOptionsToken(
  name: string = DEFAULT_FEED_NAME,
): InjectionToken<LeaderFeedModuleOptions> {
  return name === DEFAULT_FEED_NAME ? LEADER_FEED_OPTIONS : Symbol.for(`LeaderFeedOptions:${name}`);
}

/** Injects the `FeedLeadership` that `forRoot` set up under this name. */
export function InjectLeaderFeed(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getLeaderFeedToken(name));
}
