import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import type { SubscriptionEntry } from './subscription-entry.js';

export const SUBSCRIPTION_COLUMNS = ['display', 'camera', 'worker', 'status', 'reason', 'since'] as const;

export type SubscriptionColumn = (typeof SUBSCRIPTION_COLUMNS)[number];

export interface SubscriptionSort {
  readonly column: SubscriptionColumn;
  readonly descending: boolean;
}

/** Statuses that need attention come first. */
export const STATUSES = [
  'failed',
  'recovering',
  'pending',
  'active',
] as const satisfies readonly SubscriptionRow['status'][];

const keyOf: Readonly<Record<SubscriptionColumn, (entry: SubscriptionEntry) => string | number>> = {
  display: (entry) => entry.sortKeys.display,
  camera: (entry) => entry.sortKeys.camera,
  worker: (entry) => entry.sortKeys.worker,
  status: (entry) => STATUSES.indexOf(entry.row.status),
  reason: (entry) => entry.reason,
  since: (entry) => entry.sinceMs,
};

/** Compares by the column, then by display and camera in ascending order. */
export function compareBy({ column, descending }: SubscriptionSort) {
  const key = keyOf[column];
  const sign = descending ? -1 : 1;
  return (a: SubscriptionEntry, b: SubscriptionEntry): number =>
    sign * compare(key(a), key(b)) ||
    compare(a.sortKeys.display, b.sortKeys.display) ||
    compare(a.sortKeys.camera, b.sortKeys.camera) ||
    compare(a.sortKeys.id, b.sortKeys.id);
}

/** The order after a click on a column's header. */
export function nextSort(present: SubscriptionSort, column: SubscriptionColumn): SubscriptionSort {
  return { column, descending: present.column === column && !present.descending };
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
