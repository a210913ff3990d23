/** Durations in milliseconds. */
export interface ConsumerOptions {
  /** Entries in memory: queued, running, or waiting for their acknowledgement. Default 1,000. */
  window: number;
  /** Of these, queued for one subscription; what exceeds it waits in Redis, others are not held up. Default 64. */
  windowPerSubscription: number;
  /** For so long reading waits for a full queue; then it is slow, and reading goes on without it. Default 50. */
  slowAfter: number;
  /** Entries left waiting in Redis by {@link windowPerSubscription} before reading stops. Default 10,000. */
  maxParked: number;
  /** Most entries of one read. Default 256. */
  readCount: number;
  /** How long one read waits for news. Default 1,000. */
  readBlock: number;
  /** A callback that takes longer counts as failed. It cannot be stopped, and may still run while it is repeated. Default 10,000. */
  callbackTimeout: number;
  /** Waits before the repetitions of a failed callback; as many as there are. Default 100, 500, 2,000. */
  retryDelays: readonly number[];
  /** An acknowledgement is sent when so many are due … Default 16. */
  ackBatch: number;
  /** … or after this time. Default 2. */
  ackDelay: number;
  /** Finished entries whose acknowledgement is not confirmed; at so many no callback is started. Default 64. */
  maxUnconfirmed: number;
  /** Dead letters kept; the oldest beyond it are removed and reported. Default 10,000. */
  maxDeadLetters: number;
  /** Age at which a handled detection counts as late. Default 1,000. */
  lateAfter: number;
  /** How long `stop()` waits for running callbacks and their acknowledgements. Default 5,000. */
  stopDeadline: number;
}

export const consumerDefaults: Readonly<ConsumerOptions> = {
  window: 1_000,
  windowPerSubscription: 64,
  slowAfter: 50,
  maxParked: 10_000,
  readCount: 256,
  readBlock: 1_000,
  callbackTimeout: 10_000,
  retryDelays: [100, 500, 2_000],
  ackBatch: 16,
  ackDelay: 2,
  maxUnconfirmed: 64,
  maxDeadLetters: 10_000,
  lateAfter: 1_000,
  stopDeadline: 5_000,
};
