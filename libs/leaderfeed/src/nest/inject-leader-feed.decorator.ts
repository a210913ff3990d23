import { Inject } from '@nestjs/common';
import { getLeaderFeedToken } from './leader-feed.tokens.js';

/** Injects the `FeedLeadership` that `forRoot` set up under this name. */
export function InjectLeaderFeed(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getLeaderFeedToken(name));
}
