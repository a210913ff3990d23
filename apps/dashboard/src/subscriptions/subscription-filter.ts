import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import type { SubscriptionEntry } from './subscription-entry.js';

export interface SubscriptionFilter {
  /** Words that all have to occur in display, camera, worker or reason. */
  readonly text: string;
  /** Empty: every status. */
  readonly statuses: ReadonlySet<SubscriptionRow['status']>;
  /** Null: every one; empty: those without a worker. */
  readonly workerUrl: string | null;
  /** Only those whose status has changed within so many milliseconds; null: all. */
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

/** Which part of a filter an entry passes: counts beside a choice say what that choice would show, so each ignores itself. */
export interface FilterPasses {
  readonly status: boolean;
  readonly worker: boolean;
  /** Text and time. */
  readonly others: boolean;
}

/** @param now milliseconds since 1970, by the clock of the service */
export function filterPasses(
  { text, statuses, workerUrl, changedWithin }: SubscriptionFilter,
  now: number,
): (entry: SubscriptionEntry) => FilterPasses {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const earliest = changedWithin === null ? Number.NEGATIVE_INFINITY : now - changedWithin;
  return ({ row, searched, sinceMs }) => ({
    status: statuses.size === 0 || statuses.has(row.status),
    worker: workerUrl === null || row.workerUrl === workerUrl,
    others: sinceMs >= earliest && words.every((word) => searched.includes(word)),
  });
}
