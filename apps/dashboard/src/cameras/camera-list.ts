import type { DetectionItem, Rows, SkippedRow, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { modelText, naturalKey } from '../subscriptions/subscription-entry.js';
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

const rankOf = Object.fromEntries(ORDER.map((status, rank) => [status, rank])) as Record<ShownStatus, number>;

/** In no order. A camera whose displays are all skipped has no subscription. */
export function camerasOf(
  rows: Rows<SubscriptionRow>,
  skipped: Rows<SkippedRow> = {},
): readonly CameraEntry[] {
  const cameras = new Map<string, Writable<CameraEntry>>();
  for (const id in rows) {
    const row = rows[id]!;
    const { status, reason, since, workerUrl } = row;
    const cameraId = cameraOf(row.subscriptionIdentifier);
    const known = cameras.get(cameraId);
    const models = row.model === null ? NONE : [row.model];
    const versions = row.model === null && row.version === null ? NONE : [modelText(row)];
    if (known === undefined) {
      cameras.set(cameraId, {
        cameraId,
        status,
        reason,
        since,
        workerUrl,
        models,
        versions,
        subscriptions: 1,
      });
      continue;
    }
    if (rankOf[status] < rankOf[known.status]) Object.assign(known, { status, reason, since });
    known.workerUrl ||= workerUrl;
    known.models = union(known.models, models);
    known.versions = union(known.versions, versions);
    known.subscriptions++;
  }
  for (const { cameraId, reason } of Object.values(skipped))
    if (cameraId !== undefined && !cameras.has(cameraId))
      cameras.set(cameraId, {
        cameraId,
        status: 'skipped',
        reason,
        since: '',
        workerUrl: '',
        models: NONE,
        versions: NONE,
        subscriptions: 0,
      });
  return Array.from(cameras.values());
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const NONE: readonly string[] = [];

function union(texts: readonly string[], more: readonly string[]): readonly string[] {
  return more.every((text) => texts.includes(text)) ? texts : [...texts, ...more].sort();
}

/** Those with a problem first, then by name, numbers by their value. */
export function worstFirst(cameras: readonly CameraEntry[]): readonly CameraEntry[] {
  return cameras
    .map((camera) => ({ camera, rank: rankOf[camera.status], name: naturalKey(camera.cameraId) }))
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .map(({ camera }) => camera);
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
