import type { InterestContext } from '../interest/interest-context.js';
import type { Acceptance } from '../log/log-store.js';
import type { OwnershipContext, OwnershipEvent } from '../ownership/ownership-context.js';
import type { TracerSlot } from '../log/tracer-slot.js';
import type { RouterCounters } from './router-counters.js';

/** Durations in milliseconds. */
export const routerDefaults = {
  /** Number of partitions. Another value takes effect when all partitions are empty. */
  partitions: 32,
  /** Beyond a limit of a log: drop its oldest batches, or refuse new ones. */
  overflow: 'drop-oldest' as 'drop-oldest' | 'refuse-new',
  /** Null: what Redis has answered is accepted. */
  acceptance: null as Acceptance | null,
  /** Maximum number of unfinished detections of one log. */
  maxBacklogEntries: 10_000,
  /** Maximum bytes of messages in one log. */
  maxBacklogBytes: 4 * 1024 * 1024,
  /** Maximum number of entries that wait in this process for Redis. */
  maxBufferEntries: 50_000,
  /** Maximum bytes of their frames. */
  maxBufferBytes: 32 * 1024 * 1024,
  /** Most entries of one call. */
  callEntries: 2_048,
  /** Maximum bytes of frames of one call. */
  callBytes: 1024 * 1024,
  /** How long an entry waits at least for others before it is sent; the next call waits for the last one anyway. */
  linger: 2,
  /** How often interests, members, owner records and requested replays are read without a hint. */
  lookInterval: 5_000,
  /** Pause between rounds of partitions that change their owner to balance the load. */
  rebalanceInterval: 1_000,
};

export type RouterOptions = Readonly<typeof routerDefaults>;

/** Events of a router. Only `deposed` ends it. `log`: the stream. */
export type RouterEvent =
  | OwnershipEvent
  /** The oldest entries of a log were dropped because it was full. */
  | { readonly type: 'backlog-dropped'; readonly log: string; readonly count: number }
  /** A log is full: entries for it were not accepted. */
  | { readonly type: 'backlog-refused'; readonly log: string; readonly count: number }
  /** The buffer of this process was full: entries of the worker that held most of it were not accepted. */
  | { readonly type: 'buffer-dropped'; readonly worker: string; readonly count: number }
  /** The term is over; these entries were never accepted, or it is unknown whether they were. */
  | { readonly type: 'discarded'; readonly count: number }
  /** A log showed a later term although none has begun: another program wrote to it. `count`: entries that became dead letters. */
  | { readonly type: 'foreign-term'; readonly log: string; readonly count: number }
  /** A master of a later term has written, so this one sends nothing more. */
  | { readonly type: 'deposed' };

/** The dependencies that the parts of one router share. */
export interface RouterContext extends OwnershipContext, InterestContext {
  readonly options: RouterOptions;
  readonly counters: RouterCounters;
  readonly tracing: TracerSlot;
  readonly onEvent: (event: RouterEvent) => void;
  /** The term is over: it appends what it still has, and writes nothing else. */
  readonly isOver: () => boolean;
}
