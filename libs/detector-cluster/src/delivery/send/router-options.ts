/** Durations in milliseconds. */
export interface RouterOptions {
  /** Number of partitions. Another value takes effect when all partitions are empty. Default 32. */
  partitions: number;
  /** Beyond a limit of a log: drop its oldest entries, or refuse new ones. Default `drop-oldest`. */
  overflow: 'drop-oldest' | 'refuse-new';
  /** Replicas that must have confirmed a detection before it counts as accepted; null for none. Default null. */
  acceptance: { readonly replicas: number; readonly timeout: number } | null;
  /** Most unfinished entries of one log. Default 10,000. */
  maxBacklogEntries: number;
  /** Most bytes of their messages. Default 4 MiB. */
  maxBacklogBytes: number;
  /** Most entries that wait in this process for Redis. Default 50,000. */
  maxBufferEntries: number;
  /** Most bytes of their frames. Default 32 MiB. */
  maxBufferBytes: number;
  /** Most entries of one call. Default 512. */
  batchEntries: number;
  /** Most bytes of frames of one call. Default 1 MiB. */
  batchBytes: number;
  /** How long an entry waits for others before it is sent; the next call waits for the last one anyway. Default 2. */
  linger: number;
  /** How often interests, members, owner records and requested replays are read without a hint. Default 5,000. */
  lookInterval: number;
  /** Pause between rounds of partitions that change their owner to level the load. Default 1,000. */
  levelInterval: number;
}

export const routerDefaults: Readonly<RouterOptions> = {
  partitions: 32,
  overflow: 'drop-oldest',
  acceptance: null,
  maxBacklogEntries: 10_000,
  maxBacklogBytes: 4 * 1024 * 1024,
  maxBufferEntries: 50_000,
  maxBufferBytes: 32 * 1024 * 1024,
  batchEntries: 512,
  batchBytes: 1024 * 1024,
  linger: 2,
  lookInterval: 5_000,
  levelInterval: 1_000,
};
