/** What a router reports. Only `deposed` ends it. */
export type RouterEvent =
  /** Unread entries of a process were deleted because its backlog was full; accepted detections were lost. */
  | { readonly type: 'backlog-dropped'; readonly processId: string; readonly count: number }
  /** A process's backlog is full: these detections were not accepted. */
  | { readonly type: 'backlog-rejected'; readonly processId: string; readonly count: number }
  /** This process's own buffer was full: these detections were not accepted. */
  | { readonly type: 'buffer-dropped'; readonly count: number }
  /** The router has ended; these detections were never accepted, or nobody knows whether they were. */
  | { readonly type: 'discarded'; readonly count: number }
  /** A process has had no stream for longer than the grace; it counts as lost until it has one. */
  | { readonly type: 'stream-missing'; readonly processId: string }
  | {
      readonly type: 'rerouted';
      readonly processId: string;
      readonly moved: number;
      readonly listenerEntriesDiscarded: number;
    }
  | {
      readonly type: 'owner-changed';
      readonly workerUrl: string;
      readonly from: string | null;
      readonly to: string;
    }
  /** A living owner did not finish its backlog in time; the change is tried again later. */
  | {
      readonly type: 'owner-change-postponed';
      readonly workerUrl: string;
      readonly from: string;
      readonly to: string;
    }
  /** Redis could not be written or read; it is tried again. */
  | { readonly type: 'redis-error'; readonly error: Error }
  /** A master of a later term has written: nothing more is sent. */
  | { readonly type: 'deposed' };
