import type { DetectionItem, Rows, SkippedRow, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { modelText } from '../subscriptions/subscription-entry.js';
import type { ShownStatus } from '../subscriptions/status-badge.js';
import { hasWords, wordsOf } from '../wording/words.js';

/** A camera with its subscriptions, which all run on one worker. */
export interface CameraEntry {
  readonly cameraId: string;
  /** Status of the subscription that most needs attention. */
  readonly status: ShownStatus;
  readonly reason: string;
  /** When this status began, ISO 8601; empty: not known. */
  readonly since: string;
  /** Empty: no worker. */
  readonly workerUrl: string;
  /** Names of the models that look at it, sorted. */
  readonly models: readonly string[];
  /** The same with the versions of their files. */
  readonly versions: readonly string[];
  readonly subscriptions: number;
}

/** The worst first. */
const ORDER: readonly ShownStatus[] = ['failed', 'recovering', 'pending', 'skipped', 'active'];

const byName = new Intl.Collator('en', { numeric: true });

/** Those with a problem first, then by name, numbers by their value. A camera whose displays are all skipped has no subscription. */
export function camerasOf(
  rows: Rows<SubscriptionRow>,
  skipped: Rows<SkippedRow> = {},
): readonly CameraEntry[] {
  const cameras = new Map<string, CameraEntry>();
  for (const row of Object.values(rows)) {
    const { subscriptionIdentifier, status, reason, since, workerUrl, model } = row;
    const cameraId = cameraOf(subscriptionIdentifier);
    const known = cameras.get(cameraId);
    const worse = known === undefined || ORDER.indexOf(status) < ORDER.indexOf(known.status);
    cameras.set(cameraId, {
      ...(worse ? { cameraId, status, reason, since } : known),
      workerUrl: known?.workerUrl || workerUrl,
      models: withText(known?.models ?? [], model),
      versions: withText(known?.versions ?? [], modelText(row) || null),
      subscriptions: (known?.subscriptions ?? 0) + 1,
    });
  }
  for (const { cameraId, reason } of Object.values(skipped))
    if (cameraId !== undefined && !cameras.has(cameraId))
      cameras.set(cameraId, {
        cameraId,
        status: 'skipped',
        reason,
        since: '',
        workerUrl: '',
        models: [],
        versions: [],
        subscriptions: 0,
      });
  return Array.from(cameras.values()).sort(
    (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || byName.compare(a.cameraId, b.cameraId),
  );
}

function withText(texts: readonly string[], text: string | null): readonly string[] {
  return text === null || texts.includes(text) ? texts : [...texts, text].sort();
}

/** Each is empty by default, which means all. */
export interface CameraFilter {
  /** Words of the camera's name. */
  readonly text?: string;
  readonly status?: string;
  /** URL. */
  readonly worker?: string;
  /** Name. */
  readonly model?: string;
}

export function filterCameras(
  cameras: readonly CameraEntry[],
  { text = '', status = '', worker = '', model = '' }: CameraFilter,
): readonly CameraEntry[] {
  const words = wordsOf(text);
  return cameras.filter(
    (camera) =>
      (status === '' || camera.status === status) &&
      (worker === '' || camera.workerUrl === worker) &&
      (model === '' || camera.models.includes(model)) &&
      hasWords(camera.cameraId, words),
  );
}

/** Camera → its newest detection. @param detections oldest first */
export function lastDetections(detections: readonly DetectionItem[]): ReadonlyMap<string, DetectionItem> {
  return new Map(detections.map((item) => [cameraOf(item.subscriptionIdentifier), item]));
}

function cameraOf(subscriptionIdentifier: string): string {
  return subscriptionIdentifier.slice(subscriptionIdentifier.indexOf(';') + 1);
}
