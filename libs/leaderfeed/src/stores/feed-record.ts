import type { HeartbeatDetails } from '../base/leader-feed-events.js';

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
