import type { Clock } from '@detector-cluster/election';
import type { LogStore } from '../log/log-store.js';
import type { TracerSlot } from '../tracing/tracer-slot.js';
import type { RouterCounters } from './router-counters.js';
import type { RouterEvent } from './router-event.js';
import type { RouterOptions } from './router-options.js';

/** What the parts of one router share. */
export interface RouterContext {
  readonly term: number;
  readonly options: RouterOptions;
  readonly counters: RouterCounters;
  readonly tracing: TracerSlot;
  readonly clock: Clock;
  readonly onEvent: (event: RouterEvent) => void;
  /** Whether this process may write as master at this instant. */
  readonly isValid: () => boolean;
  /** For everything but appending. */
  readonly store: LogStore;
  /** Aborts when the router is closed or deposed. */
  readonly signal: AbortSignal;
  /** A later term has written. */
  readonly deposed: () => void;
}
