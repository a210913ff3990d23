import type { HeartbeatDetails } from '../base/heartbeat-details.js';

/** What a store keeps or publishes about who leads. */
export interface FeedRecord extends HeartbeatDetails {
  /** `null`: none. */
  readonly leader: string | null;
}

/** A record before the store has put its time to it. */
export type NewFeedRecord = Omit<FeedRecord, 'at'>;

/** What comes over a feed as a record, or `undefined` when it is something else. */
export function toFeedRecord(value: unknown): FeedRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { leader, by, kind, election, at } = value as Record<string, unknown>;
  if (leader !== null && typeof leader !== 'string') return undefined;
  if (typeof by !== 'string' || (kind !== 'elect' && kind !== 'heartbeat')) return undefined;
  if (typeof election !== 'number' || typeof at !== 'number') return undefined;
  return { leader, by, kind, election, at };
}

/** The same of a text that should be JSON. */
export function parseFeedRecord(text: string): FeedRecord | undefined {
  try {
    return toFeedRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}
