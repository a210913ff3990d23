export interface ProcessBacklog {
  /** Entries in Redis when it was last written. */
  readonly entries: number;
  /** Their memory in Redis, estimated. */
  readonly bytes: number;
  /** Entries that wait in this process. */
  readonly buffered: number;
  /** Accepted entries that were deleted unread, under this master. */
  readonly dropped: number;
}

/** Entries count once per process that they are for. */
export interface RouterStats {
  /** Detections given to the router. */
  readonly routed: number;
  /** Entries that Redis has confirmed. */
  readonly accepted: number;
  /** Of these, those that were there already when they were sent again. */
  readonly duplicatesRefused: number;
  /** Entries that wait for a process, and detections that wait for an owner. */
  readonly buffered: number;
  /** Accepted entries that were deleted unread because of a full backlog. */
  readonly dropped: number;
  /** Entries refused because of a full backlog. */
  readonly rejected: number;
  /** Entries that were never accepted because this process's buffer was full. */
  readonly bufferDropped: number;
  /** Entries that were never accepted because the router was closed or deposed, or their worker removed. */
  readonly discarded: number;
  /** With pub/sub: entries that no process heard, or may not have heard. */
  readonly unheard: number;
  /** Entries moved from dead processes to new owners. */
  readonly rerouted: number;
  /** Dead letters that became entries again. */
  readonly replayed: number;
  /** Entries for listeners of dead processes. */
  readonly listenerEntriesDiscarded: number;
  /** Worker → owner. */
  readonly assignments: Readonly<Record<string, string>>;
  /** Worker → detections per second. */
  readonly rates: Readonly<Record<string, number>>;
  readonly processes: Readonly<Record<string, ProcessBacklog>>;
}
