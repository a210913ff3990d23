import type { PlacementHints } from '../model/placement-hints.js';
import type { WorkerLiveness } from '../model/worker-liveness.js';
import type { PlanWorker } from '../planner/plan.types.js';
import type { DesiredCameraSubscription, SubscriptionStatus } from '../model/subscriptions.js';

/** One desired subscription with values that are derived from it once. */
export interface DesiredEntry {
  readonly spec: DesiredCameraSubscription;
  /** Hash of everything that identifies the stream. */
  readonly hash: string;
  readonly cameraId: string;
  /** Hints for the planner; default none. */
  readonly hints?: PlacementHints;
  /** This process does not know its credentials: it may keep running, but the master cannot send it. */
  readonly redacted?: boolean;
}

/** One stream in the last state report of a worker. */
export interface ReportedStream {
  readonly online: boolean;
  readonly modelId: number | null;
  /** Hash of the specification that it runs; null if the worker does not report it. */
  readonly fingerprint: string | null;
  /** What the worker says of the model; absent: it is ready, or the worker does not tell. */
  readonly modelState?: 'loading' | 'failed';
  /** Why the model has failed, in the words of the worker. */
  readonly problem?: string;
}

/** The master's view of one worker at the time of a pass. */
export interface WorkerObservation extends Pick<
  PlanWorker,
  'url' | 'labels' | 'cordoned' | 'drainSince' | 'cpu' | 'memory' | 'gpu' | 'gpuMemory'
> {
  readonly liveness: WorkerLiveness;
  /** Whether the last report came over the present connection: only then may the master compare it and send commands. */
  readonly current: boolean;
  readonly reported: ReadonlyMap<string, ReportedStream>;
  /**
   * Subscription → how many reports must still come over the present connection before the worker has provably read its last
   * subscribe: infinite until it is written to the socket, 0 once it has been read. A missing subscription was not sent over
   * this connection.
   */
  readonly reportsDue: ReadonlyMap<string, number>;
  readonly capacity: number;
  /** Ids of the models that it has in memory; absent: it does not tell. */
  readonly loadedModels?: readonly number[];
}

/** The master's memory of one subscription from pass to pass. */
export interface TrackedSubscription {
  /** The worker on which it is placed; empty if none. */
  readonly workerUrl: string;
  /** Hash of the specification last sent to that worker; empty while unknown. */
  readonly specHash: string;
  /** Since when the worker's confirmation is pending; null once confirmed. Monotonic milliseconds. */
  readonly sentAt: number | null;
  /** Number of sends since `sentAt`. */
  readonly attempts: number;
  /** Since when its worker reports it without a picture, and the number of resends for that reason; null while it has one. */
  readonly offline: { readonly since: number; readonly retries: number } | null;
  /** Whether a report of this worker has shown it since it was sent. */
  readonly confirmed: boolean;
  /** The worker whose detections count; changes only when the new worker has shown the stream. */
  readonly holder: string;
  readonly status: SubscriptionStatus;
  readonly reason: string;
  /** More about the reason, in the words of the worker. */
  readonly detail?: string;
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
 * A worker that did not take a unit in time does not get it again before `until`, and for some time after that another worker
 * is preferred. Wall clock, milliseconds, because it outlives the master.
 */
export interface Penalty {
  readonly unitId: string;
  readonly workerUrl: string;
  readonly until: number;
  readonly count: number;
  /** What it did not take. The penalty ends when this subscription is another one. */
  readonly refused?: { readonly subscriptionIdentifier: string; readonly hash: string };
}

/** Key of a pair in the maps of a pass. URLs contain no blanks. */
export const pairKey = (workerUrl: string, id: string): string => `${workerUrl} ${id}`;
