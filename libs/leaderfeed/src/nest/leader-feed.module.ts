import { ConfigurableModuleBuilder, Inject, type InjectionToken, Module } from '@nestjs/common';
import { FeedLeadership, type LeaderFeedModuleOptions } from './feed-leadership.js';

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

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<LeaderFeedModuleOptions>({
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

/**
 * Provides a `FeedLeadership`. `forRoot({ feed, start })` or `forRootAsync({ useFactory | useClass | useExisting, inject, imports })`,
 * both with `isGlobal` (default false) and, for each further feed of an application, with a `name`.
 */
@Module({})
export class LeaderFeedModule extends ConfigurableModuleClass {}
