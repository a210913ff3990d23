import type { BaseLeaderFeed } from '../base/base-leader-feed.js';

/** Options of `LeaderFeedModule`. */
export interface LeaderFeedModuleOptions {
  /** The feed of this process, not started. The module starts it and stops it. */
  readonly feed: BaseLeaderFeed;
  /** What `feed.start` needs: the channel, the table, the collection. */
  readonly start?: object;
}

/** What a class given to `forRootAsync` as `useClass` or `useExisting` provides. */
export interface LeaderFeedModuleOptionsFactory {
  createLeaderFeedOptions(): LeaderFeedModuleOptions | Promise<LeaderFeedModuleOptions>;
}
