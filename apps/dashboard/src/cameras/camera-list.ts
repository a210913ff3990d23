import type { DetectionItem, Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/** A camera with its subscriptions, which all run on one worker. */
export interface CameraEntry {
  readonly cameraId: string;
  /** Status of the subscription that most needs attention. */
  readonly status: SubscriptionRow['status'];
  readonly reason: string;
  /** Empty: no worker. */
  readonly workerUrl: string;
  readonly subscriptions: number;
}

/** The worst first. */
const ORDER: readonly SubscriptionRow['status'][] = ['failed', 'recovering', 'pending', 'active'];

const byName = new Intl.Collator('en', { numeric: true });

/** By name, numbers by their value. */
export function camerasOf(rows: Rows<SubscriptionRow>): readonly CameraEntry[] {
  const cameras = new Map<string, CameraEntry>();
  for (const { subscriptionIdentifier, status, reason, workerUrl } of Object.values(rows)) {
    const cameraId = cameraOf(subscriptionIdentifier);
    const known = cameras.get(cameraId);
    const worse = known === undefined || ORDER.indexOf(status) < ORDER.indexOf(known.status);
    cameras.set(cameraId, {
      ...(worse ? { cameraId, status, reason } : known),
      workerUrl: known?.workerUrl || workerUrl,
      subscriptions: (known?.subscriptions ?? 0) + 1,
    });
  }
  return Array.from(cameras.values()).sort((a, b) => byName.compare(a.cameraId, b.cameraId));
}

export interface CameraFilter {
  readonly text: string;
  /** Empty: all. */
  readonly status: string;
  /** Empty: all. */
  readonly worker: string;
}

export function filterCameras(
  cameras: readonly CameraEntry[],
  { text, status, worker }: CameraFilter,
): readonly CameraEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return cameras.filter(
    (camera) =>
      (status === '' || camera.status === status) &&
      (worker === '' || camera.workerUrl === worker) &&
      words.every((word) => camera.cameraId.toLowerCase().includes(word)),
  );
}

/** Camera → its newest detection. @param detections oldest first */
export function lastDetections(detections: readonly DetectionItem[]): ReadonlyMap<string, DetectionItem> {
  return new Map(detections.map((item) => [cameraOf(item.subscriptionIdentifier), item]));
}

function cameraOf(subscriptionIdentifier: string): string {
  return subscriptionIdentifier.slice(subscriptionIdentifier.indexOf(';') + 1);
}
