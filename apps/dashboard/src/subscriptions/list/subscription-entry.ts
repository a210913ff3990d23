import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { naturalKey } from './natural-key.js';
import { reasonText } from '../reason-text.js';

/** A row with the values for display, search and sorting, made once for each version of the row. */
export interface SubscriptionEntry {
  readonly row: SubscriptionRow;
  readonly displayId: string;
  readonly cameraId: string;
  readonly reason: string;
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
  return {
    row,
    displayId,
    cameraId,
    reason,
    sinceMs: Date.parse(row.since) || 0,
    searched: [displayId, cameraId, workerUrl, row.reason, reason].join('\n').toLowerCase(),
    sortKeys: {
      id,
      display: naturalKey(displayId),
      camera: naturalKey(cameraId),
      worker: naturalKey(workerUrl),
    },
  };
}

/** `<displayId>;<cameraId>`; a text of any other form is shown as a display. */
export function splitIdentifier(identifier: string): readonly [displayId: string, cameraId: string] {
  const at = identifier.indexOf(';');
  return at === -1 ? [identifier, ''] : [identifier.slice(0, at), identifier.slice(at + 1)];
}
