import type { HeartbeatDetails } from '../base/leader-feed-events.js';
import type { LeaseStore } from './lease-store.js';

/** The record of the leader that a store keeps or publishes. */
export interface FeedRecord extends HeartbeatDetails {
  /** `null`: none. */
  readonly leader: string | null;
}

/** A record before the store has added its time. */
export type NewFeedRecord = Omit<FeedRecord, 'at'>;

/** Parses a value from a feed; `undefined` when it is not a record. */
export function toFeedRecord(value: unknown): FeedRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { leader, by, kind, election, at } = value as Record<string, unknown>;
  if (leader !== null && typeof leader !== 'string') return undefined;
  if (typeof by !== 'string' || (kind !== 'elect' && kind !== 'heartbeat')) return undefined;
  if (typeof election !== 'number' || typeof at !== 'number') return undefined;
  return { leader, by, kind, election, at };
}

/** The same for JSON text. */
export function parseFeedRecord(text: string): FeedRecord | undefined {
  try {
    return toFeedRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Receives the events of a subscription. */
export interface FeedStoreListener {
  /** A node was elected, or the leader has confirmed itself. In the order of the store; never from before the subscription. */
  heard(record: FeedRecord): void;
  /** The owner of the lease changed, or a candidate was nominated. */
  leaseChanged(): void;
  /** Anything else. */
  changed(change: unknown): void;
  /** The subscription broke. Called at most once, and last. */
  failed(error: Error): void;
}

/** The part of a feed that depends on the store. All calls settle within a bounded time. */
export interface FeedStore {
  /** E.g. `postgres`. */
  readonly name: string;
  /** Connects. */
  open(): Promise<void>;
  /** Creates what is missing in the store. */
  create(): Promise<void>;
  subscribe(listener: FeedStoreListener): Promise<void>;
  /** Also called for a subscription that is broken or never began. */
  unsubscribe(): Promise<void>;
  /** Sends a record to all subscribers. */
  write(record: NewFeedRecord): Promise<void>;
  readonly lease: LeaseStore;
  /** Closes all connections that the store has opened. Idempotent. The store can be opened again. */
  close(): Promise<void>;
}

/** Throws a `TypeError` unless a start option is a name. */
export function requireName(option: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(
      `start: ${option} must be a name, for example { ${option}: 'leaderfeed' }, not ${JSON.stringify(value)}`,
    );
}
