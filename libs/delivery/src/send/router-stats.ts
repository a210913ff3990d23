import type { RouterCounters } from './router-counters.js';
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
  /** By stream, for logs that this router has written to. */
  readonly logs: Readonly<Record<string, LogBacklog>>;
}
