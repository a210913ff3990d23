/** A feed was stopped before it had started. */
export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly code = 'FEED_STOPPED';

  constructor() {
    super('the feed was stopped before it had started');
  }
}
