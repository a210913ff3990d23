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
