/** What a router reports. Only `deposed` ends it. `log`: the stream. */
export type RouterEvent =
  /** The oldest entries of a log were dropped because it was full. */
  | { readonly type: 'backlog-dropped'; readonly log: string; readonly count: number }
  /** A log is full: entries for it were not accepted. */
  | { readonly type: 'backlog-refused'; readonly log: string; readonly count: number }
  /** The buffer of this process was full: entries were not accepted. */
  | { readonly type: 'buffer-dropped'; readonly count: number }
  /** The router has ended; these entries were never accepted, or it is unknown whether they were. */
  | { readonly type: 'discarded'; readonly count: number }
  /** Partitions were given to a process whose predecessor is gone. */
  | { readonly type: 'partitions-taken'; readonly to: string; readonly partitions: readonly number[] }
  /** The owners of partitions were asked to hand them over to a process. */
  | { readonly type: 'hand-over-asked'; readonly to: string; readonly partitions: readonly number[] }
  /** Another number of partitions is configured; it takes effect when all partitions are empty. */
  | { readonly type: 'partitions-pending'; readonly wanted: number; readonly present: number }
  | { readonly type: 'partitions-changed'; readonly from: number; readonly to: number }
  /** Redis could not be written or read; the router tries again. */
  | { readonly type: 'redis-error'; readonly error: Error }
  /** A master of a later term has written: nothing more is sent. */
  | { readonly type: 'deposed' };
