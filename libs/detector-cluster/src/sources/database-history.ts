import { z } from 'zod';
import { readJson } from '../shared/read-json.js';

const positionSchema = z.object({
  system: z.string().min(1),
  timeline: z.int().positive(),
  lsn: z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/i),
});

/** Where in its history a PostgreSQL server was when a snapshot was taken. */
export interface DatabasePosition {
  /** `system_identifier` of `pg_control_system()`. */
  readonly system: string;
  /** It rises with each promotion of a standby, and each restore to a point in time. */
  readonly timeline: number;
  /** What the write-ahead log has on disk, such as `0/3000148`. */
  readonly lsn: string;
}

/** The newest position from which the desired state has been read. */
export interface DatabaseHistory extends DatabasePosition {
  /** Systems that another one has replaced. */
  readonly left: readonly string[];
}

const historySchema = positionSchema.extend({ left: z.array(z.string()) });

/** What Redis has of it. */
const recordSchema = z.object({
  history: historySchema.nullable(),
  /** Why the last read was refused; null: it was not. */
  refused: z.string().nullable(),
});

export type HistoryRecord = z.infer<typeof recordSchema>;

/** More systems than this do not come back. */
const MAX_LEFT = 20;

/** Null: there is no record that can be read. */
export const parseHistory = (text: string | null): HistoryRecord | null => readJson(recordSchema, text);

/** @throws TypeError that names the field, because a source may be the application's own */
export function checkedPosition(given: unknown): DatabasePosition {
  const { data, error } = positionSchema.safeParse(given);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0]!;
  throw new TypeError(`desiredState: ${['position', ...path].join('.')}: ${message}`);
}

/**
 * Why a read at `next` may lack what an earlier read had; null: it cannot. Pure.
 *
 * A former primary that was not stopped may have a higher `lsn` than the one that was promoted, so the timeline decides first.
 */
export function whyBehind(seen: DatabaseHistory | null, next: DatabasePosition): string | null {
  if (seen === null) return null;
  if (seen.left.includes(next.system))
    return `the database is system ${next.system}, which system ${seen.system} has replaced`;
  if (next.system !== seen.system || next.timeline > seen.timeline) return null;
  if (next.timeline < seen.timeline)
    return `the database is on timeline ${next.timeline}, and timeline ${seen.timeline} has been read`;
  return bytesOf(next.lsn) < bytesOf(seen.lsn)
    ? `the database is at ${next.lsn}, and ${seen.lsn} has been read`
    : null;
}

/** The history after a read at `next`, which is not behind. */
export function following(seen: DatabaseHistory | null, next: DatabasePosition): DatabaseHistory {
  const { system, timeline, lsn } = next;
  const left = seen === null || seen.system === system ? (seen?.left ?? []) : [...seen.left, seen.system];
  return { system, timeline, lsn, left: left.slice(-MAX_LEFT) };
}

/** Whether both are of the same server, as long as no standby is promoted. */
export function isSameHistory(a: DatabasePosition, b: DatabasePosition): boolean {
  return a.system === b.system && a.timeline === b.timeline;
}

function bytesOf(lsn: string): bigint {
  const [high, low] = lsn.split('/').map((part) => BigInt(`0x${part}`)) as [bigint, bigint];
  return (high << 32n) | low;
}
