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
