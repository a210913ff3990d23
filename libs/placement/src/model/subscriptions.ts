import type { SkippedDisplay } from './skipped-display.js';

/** What should run: one camera of one display analysed by one model. */
export interface DesiredCameraSubscription {
  /** `<displayId>;<cameraId>` */
  subscriptionIdentifier: string;
  rtspUrl: string;
  modelId: number;
  modelName: string;
  /** Of the model's file. Absent where it is not known. */
  modelVersion?: string;
  /** ISO 8601. */
  createdAt: string;
  snapshotUrl?: string;
  /** Milliseconds. */
  snapshotInterval?: number;
  cropX1?: number;
  cropY1?: number;
  cropX2?: number;
  cropY2?: number;
  /** Only for explicit subscriptions: the URL the caller gave. It is not part of the subscription's identity. */
  modelUrl?: string;
}

/** The status of a subscription. No status is final while the subscription is desired. */
export type SubscriptionStatus = 'active' | 'pending' | 'failed' | 'recovering';

/** A subscription as the master last knew it: the value of `worker:actual_subscriptions`. */
export interface ActualCameraSubscription {
  subscriptionIdentifier: string;
  /** Empty while no worker is assigned. */
  assignedWorkerUrl: string;
  /** Never a presigned query: the URL without its query string. */
  modelUrl: string;
  status: SubscriptionStatus;
  /** Machine-readable, e.g. `awaiting-report`, `no-worker`, `camera-offline`. */
  reason: string;
  /** More about the reason, in the words of the worker: why it cannot load the model. Up to 200 characters. */
  detail?: string;
  /** ISO 8601: since when `status` holds. */
  since: string;
  /** ISO 8601; empty while no worker is assigned. */
  assignedAt: string;
  /** ISO 8601: last state report that showed the stream; empty if none did. */
  lastSeen: string;
  /** Hash of everything that identifies the stream (all but the model URL). If it differs, the stream is subscribed again. */
  specHash: string;
  /** The master has sent its worker these parameters, and no report confirms them yet. */
  unconfirmed?: true;
  /** Term of the master that wrote this. */
  term: number;
  /** Worker whose detections count. It follows `assignedWorkerUrl` when the new worker has shown the stream. */
  holder: string;
}

/** All subscriptions with their status, and the displays without one. */
export interface ClusterSubscriptions {
  /** Sorted by identifier. */
  subscriptions: ActualCameraSubscription[];
  /** Displays in the database that yield no subscription. */
  skipped: SkippedDisplay[];
}
