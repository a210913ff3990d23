/** Durations in milliseconds. */
export interface RouterOptions {
  /**
   * `streams`: at least once. `pubsub`: at most once, published to the channel of the process; for comparison, and for
   * processes of other systems that listen there. The same in every process. Default `streams`.
   */
  transport: 'streams' | 'pubsub';
  /** Entries that may wait in Redis for one process, besides those it has read. Default 100,000. */
  maxBacklogEntries: number;
  /** Memory that they may take there, as `MEMORY USAGE` estimates it. Default 64 MiB. */
  maxBacklogBytes: number;
  /** Beyond the limits: delete the oldest entries that the process has not read, or accept no new ones. Default `drop-oldest`. */
  overflow: 'drop-oldest' | 'reject-new';
  /** Detections that wait in this process for one process or worker while nothing can be sent. Default 20,000. */
  maxBufferEntries: number;
  /** Bytes of frames likewise. Default 32 MiB. */
  maxBufferBytes: number;
  /** Most entries of one call. Default 256. */
  batchEntries: number;
  /** Most bytes of frames of one call. Default 1 MiB. */
  batchBytes: number;
  /** How long a process may lack its stream before it counts as lost. Default 2,000. */
  missingStreamGrace: number;
  /** How long a change of a living owner may hold a worker's detections before it is put off. Default 1,000. */
  drainTimeout: number;
  /** Wait before a change that was put off is tried again. Default 5,000. */
  drainRetry: number;
  /** Most entries of one call that moves a dead process's backlog. Default 500. */
  rerouteBatch: number;
  /** How often interests, members, and dead letters to replay are looked at without a hint. Default 5,000. */
  lookInterval: number;
  /** How often the balance of the owners is looked at when nothing else changes. Default 30,000. */
  rebalanceInterval: number;
}

export const routerDefaults: Readonly<RouterOptions> = {
  transport: 'streams',
  maxBacklogEntries: 100_000,
  maxBacklogBytes: 64 * 1024 * 1024,
  overflow: 'drop-oldest',
  maxBufferEntries: 20_000,
  maxBufferBytes: 32 * 1024 * 1024,
  batchEntries: 256,
  batchBytes: 1024 * 1024,
  missingStreamGrace: 2_000,
  drainTimeout: 1_000,
  drainRetry: 5_000,
  rerouteBatch: 500,
  lookInterval: 5_000,
  rebalanceInterval: 30_000,
};
