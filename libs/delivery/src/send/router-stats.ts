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
