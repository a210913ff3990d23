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

/** Counts that the parts of a router share. The routers of one process share them, too, to count over all its terms. */
export class RouterCounters {
  /** Detections given to the router. */
  routed = 0;
  /** Entries that Redis and the replicas of `acceptance` have confirmed. A copy for a listener counts separately. */
  accepted = 0;
  /** Of these, those that were in the log already when they were sent again. */
  present = 0;
  /** Accepted entries that were dropped because their log was full. */
  dropped = 0;
  /** Entries that were refused because their log was full. */
  refused = 0;
  /** Entries that were never accepted because the buffer of this process was full. */
  bufferDropped = 0;
  /** Entries that were never accepted because the router was closed or deposed. */
  discarded = 0;
  /** Detections that no process listens to. */
  unheard = 0;
  /** Dead letters that became entries again. */
  replayed = 0;
  /** Entries of other programs that shut out every master; they became dead letters. */
  foreign = 0;
}

export interface LogBacklog {
  /** Unfinished entries in Redis at the last write or look. */
  readonly entries: number;
  /** Bytes of their messages. */
  readonly bytes: number;
  /** The larger of both as a part of its limit. */
  readonly fill: number;
  /** Entries that wait in this process. */
  readonly buffered: number;
}

export interface RouterStats extends Readonly<RouterCounters> {
  /** Entries that wait in this process. */
  readonly buffered: number;
  readonly partitions: number;
  /** Partition → owner, as last read. */
  readonly assignments: Readonly<Record<string, string>>;
  /** Partition → detections per second. */
  readonly rates: Readonly<Record<string, number>>;
  /** By stream, for logs that this router has written to. */
  readonly logs: Readonly<Record<string, LogBacklog>>;
}

/** Delivery as one process sees it. Counts since its start, over all its terms as master. */
export interface DeliveryStats {
  /** Detections that it took from workers as master. */
  readonly in: number;
  /** Detections whose callbacks all succeeded here. */
  readonly out: number;
  /** Of these, those that were done more than a second after the master received them. */
  readonly late: number;
  /** Entries that it lost as master: a log or its buffer was full, or they were never accepted when its term ended. */
  readonly dropped: number;
  /** Detections that it took as master and that no process listens to. */
  readonly unheard: number;
  /** Detections that it gave up as dead letters, and entries of other programs that it made dead letters as master. */
  readonly dead: number;
  /** Of `out`, those that may have been handled before. */
  readonly redelivered: number;
  /** Age of the detection that was done last, from its arrival at the master, by the clocks of both. Milliseconds. */
  readonly lagMs: number;
  /** Unfinished entries of the logs of this process. If Redis does not answer, only those that the process has read. */
  readonly backlog: number;
  /** Number of partitions that it owns. */
  readonly partitions: number;
}

/** Combines both halves of one process. `entries`: unfinished entries of its logs; null if Redis does not answer. */
export function deliveryStats(
  received: ConsumerStats,
  sent: Readonly<RouterCounters>,
  entries: number | null,
): DeliveryStats {
  return {
    in: sent.routed,
    out: received.handled,
    late: received.late,
    dropped: sent.dropped + sent.refused + sent.bufferDropped + sent.discarded,
    unheard: sent.unheard,
    dead: received.deadLetters + sent.foreign,
    redelivered: received.redelivered,
    lagMs: received.lagMs,
    backlog: entries ?? received.inWindow + received.parked,
    partitions: received.partitions.length,
  };
}
