import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import type { SubscriptionEntry } from './subscription-entry.js';

export interface SubscriptionFilter {
  /** Words that all have to occur in display, camera, worker or reason. */
  readonly text: string;
  /** Empty: every status. */
  readonly statuses: ReadonlySet<SubscriptionRow['status']>;
  /** Null: every worker; empty: subscriptions without a worker. */
  readonly workerUrl: string | null;
  /** Only subscriptions whose status has changed within this time, in milliseconds; null: all. */
  readonly changedWithin: number | null;
}

export const NO_FILTER: SubscriptionFilter = {
  text: '',
  statuses: new Set(),
  workerUrl: null,
  changedWithin: null,
};

export function isFiltering({ text, statuses, workerUrl, changedWithin }: SubscriptionFilter): boolean {
  return text.trim() !== '' || statuses.size > 0 || workerUrl !== null || changedWithin !== null;
}

/** The parts of a filter. The count beside a choice says what it would show, so it ignores the choice's own part. */
export type FilterPart = 'status' | 'worker' | 'others';

/** @param now milliseconds since 1970 */
export function filterParts(
  { text, statuses, workerUrl, changedWithin }: SubscriptionFilter,
  now: number,
): Readonly<Record<FilterPart, (entry: SubscriptionEntry) => boolean>> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const earliest = changedWithin === null ? Number.NEGATIVE_INFINITY : now - changedWithin;
  return {
    status: ({ row }) => statuses.size === 0 || statuses.has(row.status),
    worker: ({ row }) => workerUrl === null || row.workerUrl === workerUrl,
    others: ({ searched, sinceMs }) => sinceMs >= earliest && words.every((word) => searched.includes(word)),
  };
}
