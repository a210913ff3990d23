import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { workerName } from '../overview/workers.js';
import { wordsOf } from '../wording/words.js';
import { reasonText } from './reason-text.js';

/** A row with the values for display, search and sorting, made once for each version of the row. */
export interface SubscriptionEntry {
  readonly row: SubscriptionRow;
  readonly displayId: string;
  readonly cameraId: string;
  readonly reason: string;
  /** The model and the version of its file; empty: unknown. */
  readonly model: string;
  /** When the status began, in milliseconds since 1970; 0 if that cannot be read. */
  readonly sinceMs: number;
  /** In lower case. */
  readonly searched: string;
  readonly sortKeys: Readonly<Record<'id' | 'display' | 'camera' | 'worker', string>>;
}

export function subscriptionEntry(row: SubscriptionRow): SubscriptionEntry {
  const { subscriptionIdentifier: id, workerUrl } = row;
  const [displayId, cameraId] = splitIdentifier(id);
  const reason = reasonText(row.reason);
  const model = modelText(row);
  const worker = workerName(workerUrl);
  return {
    row,
    displayId,
    cameraId,
    reason,
    model,
    sinceMs: Date.parse(row.since) || 0,
    searched: [displayId, cameraId, workerUrl, worker, row.reason, reason, model].join('\n').toLowerCase(),
    sortKeys: {
      id,
      display: naturalKey(displayId),
      camera: naturalKey(cameraId),
      worker: naturalKey(worker),
    },
  };
}

/** A model with the version of its file; empty: unknown. */
export function modelText({ model, version }: Pick<SubscriptionRow, 'model' | 'version'>): string {
  return [model, version].filter((part) => part !== null).join(' · ');
}

/** `<displayId>;<cameraId>`; a text of any other form is shown as a display. */
export function splitIdentifier(identifier: string): readonly [displayId: string, cameraId: string] {
  const at = identifier.indexOf(';');
  return at === -1 ? [identifier, ''] : [identifier.slice(0, at), identifier.slice(at + 1)];
}

/** A key that sorts texts as people expect: `camera 9` before `camera 10`, regardless of case. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(16, '0'));
}

export interface SubscriptionFilter {
  /** Words that all have to occur in display, camera, worker, model or reason. */
  readonly text: string;
  /** Empty: every status. */
  readonly statuses: readonly SubscriptionRow['status'][];
  /** URL. Empty: every worker; {@link NO_WORKER}: none. */
  readonly worker: string;
}

/** Means "without a worker" in addresses and for the service, because empty parameters are omitted. */
export const NO_WORKER = '-';

/** Whether an entry passes a filter, whatever its status. */
export function searchOf({ text, worker }: SubscriptionFilter): (entry: SubscriptionEntry) => boolean {
  const words = wordsOf(text);
  return ({ row, searched }) =>
    (worker === '' || (row.workerUrl || NO_WORKER) === worker) &&
    words.every((word) => searched.includes(word));
}

export const SUBSCRIPTION_COLUMNS = [
  'display',
  'camera',
  'worker',
  'model',
  'status',
  'reason',
  'since',
] as const;

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
  model: (entry) => entry.model,
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

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
