import type { PlacementHints } from '../desired/placement-hints.js';
import type { WorkerLiveness } from '../model/cluster-state.js';
import type { DesiredCameraSubscription, SubscriptionStatus } from '../model/subscriptions.js';

/** One desired subscription with what is derived from it once. */
export interface DesiredEntry {
  readonly spec: DesiredCameraSubscription;
  /** Hash of everything that identifies the stream. */
  readonly hash: string;
  readonly cameraId: string;
  /** What the planner should know about it; left out: nothing. */
  readonly hints?: PlacementHints;
  /** This process does not know its credentials: it may keep running, but cannot be sent. */
  readonly withheld?: boolean;
}

/** One stream as a worker's last state report shows it. */
export interface ReportedStream {
  readonly online: boolean;
  readonly modelId: number | null;
  /** Hash of the specification that it runs; null from a worker that does not repeat it. */
  readonly fingerprint: string | null;
}

/** One worker as the master sees it at the instant of a pass. */
export interface WorkerObservation {
  readonly url: string;
  readonly liveness: WorkerLiveness;
  /** Whether the last report came over the connection that is open now: only then may it be compared and commanded. */
  readonly current: boolean;
  readonly reported: ReadonlyMap<string, ReportedStream>;
  /**
   * Subscription → how many reports must still come over the connection that is open now until its last subscribe is known to have
   * been read: infinite until it is written to the socket, 0 when it is known. A subscription that is not in it was not sent over this
   * connection.
   */
  readonly reportsDue: ReadonlyMap<string, number>;
  readonly capacity: number;
  /** An operator wants it to get nothing new. */
  readonly cordoned?: boolean;
  /** Since when an operator wants it emptied; wall clock, milliseconds. */
  readonly drainSince?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** Percent; null when not reported. */
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly gpu: number | null;
  readonly gpuMemory: number | null;
}

/** What the master remembers of one subscription from pass to pass. */
export interface TrackedSubscription {
  /** Where it is placed; empty while nowhere. */
  readonly workerUrl: string;
  /** What that worker was last sent: the hash of the specification; empty while unknown. */
  readonly specHash: string;
  /** Since when it has to be confirmed by this worker; null when it is. Monotonic milliseconds. */
  readonly sentAt: number | null;
  /** How often it was sent since `sentAt`. */
  readonly attempts: number;
  /** Since when its worker reports it without a picture, and how often it was sent again for that; null while it has one. */
  readonly offline: { readonly since: number; readonly retries: number } | null;
  /** Whether a report of this worker has shown it since it was sent. */
  readonly confirmed: boolean;
  /** Worker whose detections count: it changes only when the new one has shown the stream. */
  readonly holder: string;
  readonly status: SubscriptionStatus;
  readonly reason: string;
  /** Wall clock, milliseconds. */
  readonly since: number;
  readonly assignedAt: number;
}

export type WorkerAction = {
  readonly type: 'subscribe' | 'unsubscribe';
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string;
};

/**
 * A worker that did not take a unit in time is not asked again before `until`, and for some time after that another is
 * preferred. Wall clock, milliseconds: it outlives the master.
 */
export interface Penalty {
  readonly unitId: string;
  readonly workerUrl: string;
  readonly until: number;
  readonly count: number;
}

/** Key of a pair in the maps of a pass. URLs contain no blanks. */
export const pairKey = (workerUrl: string, id: string): string => `${workerUrl} ${id}`;
