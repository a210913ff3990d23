import type { BaseLeaderFeed } from '../base/base-leader-feed.js';

/** Options of `LeaderFeedModule`. */
export interface LeaderFeedModuleOptions {
  /** The feed of this process, not started. The module starts and stops it. */
  readonly feed: BaseLeaderFeed;
  /** Options of `feed.start`: the channel, the table, the collection. */
  readonly start?: object;
}

/** Implemented by a class that is given to `forRootAsync` as `useClass` or `useExisting`. */
export interface LeaderFeedModuleOptionsFactory {
  createLeaderFeedOptions(): LeaderFeedModuleOptions | Promise<LeaderFeedModuleOptions>;
}

/** A caller waited for the start of a feed that Nest had not begun. */
export class FeedNotStartedError extends Error {
  override readonly name = 'FeedNotStartedError';
  readonly code = 'FEED_NOT_STARTED';

  constructor() {
    super(
      'the feed is not being started: Nest starts it in onApplicationBootstrap, after every onModuleInit has ended, and not in a ' +
        'module that is loaded lazily. Wait for it after the application has started, or listen with on()',
    );
  }
}
