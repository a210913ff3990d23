import type { Clock } from '@detector-cluster/election';
import { MAX_DEAD_LETTERS } from '../dead-letters/dead-letter.js';

/** Durations in milliseconds. */
export const consumerDefaults = {
  /** Entries in memory: queued or running. */
  window: 1_000,
  /** Maximum bytes of their messages. */
  windowBytes: 16 * 1024 * 1024,
  /** How many of these may be queued for one subscription. Further entries wait in Redis and do not delay others. */
  windowPerSubscription: 64,
  /** Reading waits this long for a full queue; then the queue is slow, and reading continues without it. */
  slowAfter: 50,
  /** Entries left waiting in Redis by {@link windowPerSubscription} before reading stops. */
  maxParked: 10_000,
  /** How long one read waits for new entries. A newly owned log is read after at most this time. */
  readBlock: 200,
  /** Pause after a read that returned few entries, so that the next one returns more. */
  readLinger: 2,
  /** A callback that takes longer counts as failed. It cannot be stopped, and may still run while it is repeated. */
  callbackTimeout: 10_000,
  /** The waits before the repetitions of a failed callback, one for each repetition. */
  retryDelays: [100, 500, 2_000] as readonly number[],
  /** How long a finished entry waits for others before it is acknowledged. */
  ackDelay: 5,
  /** Maximum number of finished entries with an unconfirmed acknowledgement. At this number no callback starts. */
  maxUnconfirmed: 64,
  /** Dead letters kept beside each log; the oldest beyond it are removed and reported. */
  maxDeadLetters: MAX_DEAD_LETTERS,
  /** Age at which a handled detection counts as late. */
  lateAfter: 1_000,
  /** How often owner records are read without a hint. */
  lookInterval: 1_000,
  /** How long `stop()` waits for running callbacks and their acknowledgements. */
  stopDeadline: 5_000,
};

export type ConsumerOptions = Readonly<typeof consumerDefaults>;

/** The shared context of the parts of one consumer. */
export interface ConsumerContext {
  readonly options: ConsumerOptions;
  readonly clock: Clock;
  readonly onEvent: (event: ConsumerEvent) => void;
  /** Aborts when the consumer is to stop. */
  readonly signal: AbortSignal;
}

/** A detection whose callbacks failed. */
export interface FailedDetection {
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly error: Error;
}

/** Events of a consumer. None of them stops it. */
export type ConsumerEvent =
  /** Redis could not be read or written; the consumer tries again. */
  | { readonly type: 'redis-error'; readonly error: Error }
  /** This process owns these partitions now. */
  | { readonly type: 'partition-gained'; readonly partition: number; readonly epoch: string }
  | { readonly type: 'partition-lost'; readonly partition: number; readonly epoch: string }
  /** A callback threw, rejected or timed out, and will be repeated. */
  | (FailedDetection & { readonly type: 'callback-failed'; readonly attempt: number })
  /** An entry was given up, because its callbacks failed for good. */
  | (FailedDetection & { readonly type: 'dead-letter' })
  /** An entry was given up, because it cannot be read. `log`: the stream. */
  | { readonly type: 'unreadable-entry'; readonly log: string; readonly id: string; readonly error: Error }
  /** The oldest dead letters were removed to keep the newest. */
  | { readonly type: 'dead-letters-removed'; readonly count: number };
