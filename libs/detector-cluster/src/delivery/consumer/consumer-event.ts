/** What a consumer reports. None of these stops it. */
export type ConsumerEvent =
  /** The stream had to be created anew: Redis lost its data, or this process was taken for dead. */
  | { readonly type: 'stream-recreated' }
  /** Redis could not be read or written; it is tried again. */
  | { readonly type: 'redis-error'; readonly error: Error }
  /** A callback threw, rejected or timed out, and will be repeated. */
  | {
      readonly type: 'callback-failed';
      readonly detectionId: string;
      readonly subscriptionIdentifier: string;
      readonly attempt: number;
      readonly error: Error;
    }
  /** An entry was given up: its callbacks failed for good, or it cannot be read. */
  | {
      readonly type: 'dead-letter';
      readonly detectionId: string;
      readonly subscriptionIdentifier: string;
      readonly error: Error;
    }
  /** With pub/sub: a message of which no detection can be made. */
  | { readonly type: 'message-unreadable'; readonly error: Error }
  /** With pub/sub: callbacks do not keep up, and messages were dropped. */
  | { readonly type: 'messages-dropped'; readonly count: number }
  /** The oldest dead letters were removed to keep the newest. */
  | { readonly type: 'dead-letters-removed'; readonly count: number };
