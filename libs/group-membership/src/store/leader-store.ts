import type { LeaderRecord } from './leader-record.js';

/**
 * Where a group keeps who leads it, so that newcomers find the leader. Each call rejects when the store cannot be reached:
 * that is not the same as `null`.
 */
export interface LeaderStore {
  /**
   * A restart keeps what the store has confirmed, so an empty store means that there is no leader. A founder of a group in another
   * store must not act for `leaseTtl`: there may be a leader whose record was lost. Default false.
   */
  readonly durable?: boolean;
  /** `null`: there is no record. */
  get(): Promise<LeaderRecord | null>;
  set(record: LeaderRecord): Promise<void>;
  /** Closes what the store holds open. Called once, last. */
  cleanup(): Promise<void>;
}

/**
 * A store with compare-and-set: one record, one leader. Needed to elect by it; a store without it can let two processes lead
 * for a moment.
 */
export interface AtomicLeaderStore extends LeaderStore {
  /** The record as it is stored; `null` when there is none. */
  read(): Promise<string | null>;
  /** Stores `next` if what is stored is still `expected` (`null`: nothing); returns whether it was. */
  swap(expected: string | null, next: string): Promise<boolean>;
}

export function isAtomic(store: LeaderStore): store is AtomicLeaderStore {
  return typeof Reflect.get(store, 'swap') === 'function' && typeof Reflect.get(store, 'read') === 'function';
}
