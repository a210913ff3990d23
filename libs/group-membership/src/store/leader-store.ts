import type { LeaderRecord } from './leader-record.js';

/**
 * Holds the record of a group's leader, so that new processes find the leader. Each call rejects when the store is unavailable;
 * `null` means that there is no record.
 */
export interface LeaderStore {
  /**
   * Whether a restart keeps all confirmed writes, so that an empty store means that there is no leader. With any other store, a
   * founder must not act for `leaseTtl`, because there may be a leader whose record was lost. Default false.
   */
  readonly durable?: boolean;
  /** `null`: there is no record. */
  get(): Promise<LeaderRecord | null>;
  set(record: LeaderRecord): Promise<void>;
  /** Closes the store's connections. Called once, last. */
  cleanup(): Promise<void>;
}

/**
 * A store with compare-and-set, so that one record means one leader. A safe election needs it: with a store that lacks it, two
 * processes can lead for a moment.
 */
export interface AtomicLeaderStore extends LeaderStore {
  /** The record as it is stored; `null` when there is none. */
  read(): Promise<string | null>;
  /** Stores `next` if the store still holds `expected` (`null`: nothing). Returns whether it did. */
  swap(expected: string | null, next: string): Promise<boolean>;
}

export function isAtomic(store: LeaderStore): store is AtomicLeaderStore {
  return typeof Reflect.get(store, 'swap') === 'function' && typeof Reflect.get(store, 'read') === 'function';
}

/** The store was unavailable or refused the call, so the caller does not know whether there is a record. */
export class LeaderStoreError extends Error {
  override readonly name = 'LeaderStoreError';
  readonly code = 'LEADER_STORE';

  /** @param doing The operation that failed. */
  constructor(doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    super(`the leader store failed to ${doing}: ${reason}`, { cause });
  }
}
