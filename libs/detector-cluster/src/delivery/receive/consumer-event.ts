/** What a consumer reports. None of these stops it. */
export type ConsumerEvent =
  /** Redis could not be read or written; the consumer tries again. */
  | { readonly type: 'redis-error'; readonly error: Error }
  /** This process owns these partitions now. */
  | { readonly type: 'partition-gained'; readonly partition: number; readonly epoch: string }
  | { readonly type: 'partition-lost'; readonly partition: number; readonly epoch: string }
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
  /** The oldest dead letters were removed to keep the newest. */
  | { readonly type: 'dead-letters-removed'; readonly count: number };
