import type { Clock } from '@detector-cluster/election';
import type { LogAddress } from '../log/log-address.js';
import type { LogStore } from '../log/log-store.js';

/** Events of the parts that decide on partitions. None of them ends the router. */
export type OwnershipEvent =
  /** Partitions of a dead owner were given to a process. */
  | { readonly type: 'partitions-taken'; readonly to: string; readonly partitions: readonly number[] }
  /** The owners of partitions were asked to hand them over to a process. */
  | { readonly type: 'hand-over-asked'; readonly to: string; readonly partitions: readonly number[] }
  /** Another number of partitions is configured; it takes effect when all partitions are empty. */
  | { readonly type: 'partitions-pending'; readonly wanted: number; readonly present: number }
  | { readonly type: 'partitions-changed'; readonly from: number; readonly to: number }
  /** Redis could not be written or read; the router tries again. */
  | { readonly type: 'redis-error'; readonly error: Error };

/** Durations in milliseconds. */
export interface OwnershipOptions {
  /** Number of partitions. Another value takes effect when all partitions are empty. */
  readonly partitions: number;
  /** How often owner records are read without a hint. */
  readonly lookInterval: number;
  /** Pause between rounds of partitions that change their owner to balance the load. */
  readonly rebalanceInterval: number;
}

/** The dependencies of the parts that decide on partitions, in the master. */
export interface OwnershipContext {
  readonly clock: Clock;
  /** Aborts when the router is closed or deposed. */
  readonly signal: AbortSignal;
  readonly term: number;
  readonly options: OwnershipOptions;
  readonly onEvent: (event: OwnershipEvent) => void;
  /** Whether this process may write as master at this instant. */
  readonly isValid: () => boolean;
  /** The store for all operations except appending. */
  readonly store: LogStore;
  /** The fence has refused this term: a later one has written. */
  readonly deposed: () => void;
  /** Logs show a later term. Ends this router if that term has begun, otherwise frees the logs of it. Never rejects. */
  readonly disputed: (logs: readonly LogAddress[]) => Promise<void>;
}
