/** Durations in milliseconds. */
export interface ConsumerOptions {
  /** Entries in memory: queued or running. Default 1,000. */
  window: number;
  /** Of these, queued for one subscription; what exceeds it waits in Redis, others are not held up. Default 64. */
  windowPerSubscription: number;
  /** Reading waits for a full queue for this time; then the queue is slow, and reading goes on without it. Default 50. */
  slowAfter: number;
  /** Entries left waiting in Redis by {@link windowPerSubscription} before reading stops. Default 10,000. */
  maxParked: number;
  /** How long one read waits for news. Default 200: a log that has just been gained is read after this time at the latest. */
  readBlock: number;
  /** Pause after a read that has brought little, so that the next one brings more. Default 2. */
  readLinger: number;
  /** A callback that takes longer counts as failed. It cannot be stopped, and may still run while it is repeated. Default 10,000. */
  callbackTimeout: number;
  /** Waits before the repetitions of a failed callback; as many as there are. Default 100, 500, 2,000. */
  retryDelays: readonly number[];
  /** How long a finished entry waits for others before it is acknowledged. Default 5. */
  ackDelay: number;
  /** Finished entries whose acknowledgement is not confirmed; at so many no callback starts. Default 64. */
  maxUnconfirmed: number;
  /** Dead letters kept beside each log; the oldest beyond it are removed and reported. Default 1,000. */
  maxDeadLetters: number;
  /** Age at which a handled detection counts as late. Default 1,000. */
  lateAfter: number;
  /** How often owner records are read without a hint. Default 1,000. */
  lookInterval: number;
  /** How long `stop()` waits for running callbacks and their acknowledgements. Default 5,000. */
  stopDeadline: number;
}

export const consumerDefaults: Readonly<ConsumerOptions> = {
  window: 1_000,
  windowPerSubscription: 64,
  slowAfter: 50,
  maxParked: 10_000,
  readBlock: 200,
  readLinger: 2,
  callbackTimeout: 10_000,
  retryDelays: [100, 500, 2_000],
  ackDelay: 5,
  maxUnconfirmed: 64,
  maxDeadLetters: 1_000,
  lateAfter: 1_000,
  lookInterval: 1_000,
  stopDeadline: 5_000,
};
