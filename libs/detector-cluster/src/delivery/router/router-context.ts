import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import type { TracerSlot } from '../tracing/tracer-slot.js';
import type { RouterCounters } from './router-counters.js';
import type { RouterEvent } from './router-event.js';
import type { RouterOptions } from './router-options.js';

/** What the parts of one router have in common. */
export interface RouterContext {
  readonly redis: Redis;
  readonly keys: ClusterKeys;
  readonly term: number;
  readonly options: RouterOptions;
  readonly counters: RouterCounters;
  readonly tracing: TracerSlot;
  readonly onEvent: (event: RouterEvent) => void;
  /** Whether this process may write as master at this instant. */
  readonly isValid: () => boolean;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Sequences of entries rise over all streams. */
  readonly sequence: { last: number };
  /** Aborts when the router is closed or deposed. */
  readonly signal: AbortSignal;
  /** A later term has written. */
  readonly deposed: () => void;
}
