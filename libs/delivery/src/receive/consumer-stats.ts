/** Counts since start, and sizes of this moment. */
export interface ConsumerStats {
  /** Entries read, repetitions included. */
  readonly read: number;
  /** Entries whose callbacks all succeeded. */
  readonly handled: number;
  /** Handled entries that may have been handled before. */
  readonly redelivered: number;
  /** Handled entries that were done later than `lateAfter` after the master received them. */
  readonly late: number;
  /** Age of the entry that was handled last, from its arrival at the master; 0 before the first. Milliseconds. */
  readonly lagMs: number;
  /** Callbacks run again after they had failed. */
  readonly retried: number;
  readonly deadLetters: number;
  /** Entries in memory. */
  readonly inWindow: number;
  /** Entries left in Redis because their subscription's queue is full. */
  readonly parked: number;
  /** Finished entries whose acknowledgement is not confirmed. */
  readonly unconfirmed: number;
  /** Partitions that this process owns. */
  readonly partitions: readonly number[];
}
