import { ConfigurableModuleBuilder } from '@nestjs/common';
import { FeedLeadership } from './feed-leadership.js';
import type { LeaderFeedModuleOptions } from './leader-feed-module-options.js';
import {
  DEFAULT_FEED_NAME,
  getLeaderFeedOptionsToken,
  getLeaderFeedToken,
  LEADER_FEED_OPTIONS,
} from './leader-feed.tokens.js';

export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<LeaderFeedModuleOptions>({
  optionsInjectionToken: LEADER_FEED_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createLeaderFeedOptions')
  .setExtras({ name: DEFAULT_FEED_NAME, isGlobal: false }, (definition, { name, isGlobal }) => ({
    ...definition,
    global: isGlobal,
    providers: [
      ...(definition.providers ?? []),
      {
        provide: getLeaderFeedToken(name),
        useFactory: (options: LeaderFeedModuleOptions) => new FeedLeadership(options, name),
        inject: [LEADER_FEED_OPTIONS],
      },
      ...(name === DEFAULT_FEED_NAME
        ? []
        : [{ provide: getLeaderFeedOptionsToken(name), useExisting: LEADER_FEED_OPTIONS }]),
    ],
    exports: [getLeaderFeedToken(name), getLeaderFeedOptionsToken(name)],
  }))
  .build();
