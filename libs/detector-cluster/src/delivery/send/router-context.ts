import type { Clock } from '@detector-cluster/election';
import type { LogAddress } from '../log/log-address.js';
import type { LogStore } from '../log/log-store.js';
import type { TracerSlot } from '../detection-tracer.js';
import type { RouterCounters } from '../delivery-stats.js';

/** What must have happened to a detection, beyond the reply of Redis, before it counts as accepted. */
export interface Acceptance {
  /** So many replicas have it. Default 0. */
  readonly replicas?: number;
  /** It is in the append-only file on the disk of Redis, and of these replicas. Default false. */
  readonly fsync?: boolean;
  /** How long a batch waits for that before it is tried again. Milliseconds. */
  readonly timeout: number;
}

/** Durations in milliseconds. */
export const routerDefaults = {
  /** Number of partitions. Another value takes effect when all partitions are empty. */
  partitions: 32,
  /** Beyond a limit of a log: drop its oldest entries, or refuse new ones. */
  overflow: 'drop-oldest' as 'drop-oldest' | 'refuse-new',
  /** Null: what Redis has answered is accepted. */
  acceptance: null as Acceptance | null,
  /** Maximum number of unfinished entries of one log. */
  maxBacklogEntries: 10_000,
  /** Maximum bytes of their messages. */
  maxBacklogBytes: 4 * 1024 * 1024,
  /** Maximum number of entries that wait in this process for Redis. */
  maxBufferEntries: 50_000,
  /** Maximum bytes of their frames. */
  maxBufferBytes: 32 * 1024 * 1024,
  /** Most entries of one call. */
  batchEntries: 512,
  /** Maximum bytes of frames of one call. */
  batchBytes: 1024 * 1024,
  /** How long an entry waits for others before it is sent; the next call waits for the last one anyway. */
  linger: 2,
  /** How often interests, members, owner records and requested replays are read without a hint. */
  lookInterval: 5_000,
  /** Pause between rounds of partitions that change their owner to balance the load. */
  rebalanceInterval: 1_000,
};

export type RouterOptions = Readonly<typeof routerDefaults>;

/** Events of a router. Only `deposed` ends it. `log`: the stream. */
export type RouterEvent =
  /** The oldest entries of a log were dropped because it was full. */
  | { readonly type: 'backlog-dropped'; readonly log: string; readonly count: number }
  /** A log is full: entries for it were not accepted. */
  | { readonly type: 'backlog-refused'; readonly log: string; readonly count: number }
  /** The buffer of this process was full: entries of the worker that held most of it were not accepted. */
  | { readonly type: 'buffer-dropped'; readonly worker: string; readonly count: number }
  /** The term is over; these entries were never accepted, or it is unknown whether they were. */
  | { readonly type: 'discarded'; readonly count: number }
  /** Partitions of a dead owner were given to a process. */
  | { readonly type: 'partitions-taken'; readonly to: string; readonly partitions: readonly number[] }
  /** The owners of partitions were asked to hand them over to a process. */
  | { readonly type: 'hand-over-asked'; readonly to: string; readonly partitions: readonly number[] }
  /** Another number of partitions is configured; it takes effect when all partitions are empty. */
  | { readonly type: 'partitions-pending'; readonly wanted: number; readonly present: number }
  | { readonly type: 'partitions-changed'; readonly from: number; readonly to: number }
  /** Redis could not be written or read; the router tries again. */
  | { readonly type: 'redis-error'; readonly error: Error }
  /** A log showed a later term although none has begun: another program wrote to it. `count`: entries that became dead letters. */
  | { readonly type: 'foreign-term'; readonly log: string; readonly count: number }
  /** A master of a later term has written, so this one sends nothing more. */
  | { readonly type: 'deposed' };

/** The dependencies that the parts of one router share. */
export interface RouterContext {
  readonly term: number;
  readonly options: RouterOptions;
  readonly counters: RouterCounters;
  readonly tracing: TracerSlot;
  readonly clock: Clock;
  readonly onEvent: (event: RouterEvent) => void;
  /** Whether this process may write as master at this instant. */
  readonly isValid: () => boolean;
  /** The term is over: it appends what it still has, and writes nothing else. */
  readonly isOver: () => boolean;
  /** Reads the members; rejects when they cannot be read. */
  readonly readMembers: () => Promise<void>;
  /** The store for all operations except appending. */
  readonly store: LogStore;
  /** Aborts when the router is closed or deposed. */
  readonly signal: AbortSignal;
  /** The fence has refused this term: a later one has written. */
  readonly deposed: () => void;
  /** Logs show a later term. Ends this router if that term has begun, otherwise frees the logs of it. Never rejects. */
  readonly disputed: (logs: readonly LogAddress[]) => Promise<void>;
}
