import type { LeaseStore } from '../lease/lease-store.js';
import type { FeedRecord, NewFeedRecord } from './feed-record.js';

/** What a subscription tells of. */
export interface FeedStoreListener {
  /** Somebody was elected, or the leader has confirmed itself. In the order of the store; never from before the subscription. */
  heard(record: FeedRecord): void;
  /** The lease changed hands, or somebody was nominated. */
  leaseChanged(): void;
  /** Anything else. */
  changed(change: unknown): void;
  /** It broke. At most once; from then on it tells nothing. */
  failed(error: Error): void;
}

/** A store with a feed: everything that is particular to it. All calls settle within a bounded time. */
export interface FeedStore {
  /** E.g. `postgres`. */
  readonly name: string;
  /** Connects. */
  open(): Promise<void>;
  /** Makes what is missing in the store. */
  create(): Promise<void>;
  subscribe(listener: FeedStoreListener): Promise<void>;
  /** Also of a subscription that is broken, or never began. */
  unsubscribe(): Promise<void>;
  /** Makes a record known to all who have subscribed. */
  write(record: NewFeedRecord): Promise<void>;
  readonly lease: LeaseStore;
  /** Ends all connections that it has made. Idempotent; it can be opened again. */
  close(): Promise<void>;
}
