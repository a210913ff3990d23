import type { LeaveReason } from '../planner/plan.types.js';

/** What happened, without when. */
export type ClusterHappening =
  | { readonly type: 'master-acquired'; readonly processId: string }
  | {
      readonly type:
        'worker-online' | 'worker-offline' | 'worker-drained' | 'worker-added' | 'worker-removed';
      readonly url: string;
    }
  /** It gets nothing new until then (ISO 8601), because it was lost so often. */
  | { readonly type: 'worker-quarantined'; readonly url: string; readonly until: string }
  /** What a user of the application has done. */
  | {
      readonly type: 'operator-action';
      /** Who: a name, never a key. Up to 128 characters. */
      readonly by: string;
      /** Up to 128 characters, such as `workersDrain`. */
      readonly action: string;
      /** On what, up to 512 characters; null if there is nothing to name. */
      readonly target: string | null;
    }
  | { readonly type: 'cluster-frozen' | 'cluster-thawed' }
  /** Redis did not answer; recorded when it answers again. */
  | {
      readonly type: 'redis-unavailable';
      /** The process that noticed it: the master, or the one that became master afterwards. */
      readonly processId: string;
      /** ISO 8601, by the clock of this process. */
      readonly since: string;
      readonly until: string;
    }
  /** The master cannot read the desired state from its source. */
  | {
      readonly type: 'database-unavailable';
      /** The error, without credentials. Up to 300 characters. */
      readonly problem: string;
    }
  /** It can again. */
  | {
      readonly type: 'database-available';
      /** When the first read failed (ISO 8601). */
      readonly since: string;
    }
  /** A camera runs on another worker than before. */
  | {
      readonly type: 'camera-moved';
      readonly cameraId: string;
      readonly from: string;
      readonly to: string;
      readonly reason: LeaveReason;
    }
  /** It stays at its worker: the new worker did not report it in time. */
  | {
      readonly type: 'camera-move-failed';
      readonly cameraId: string;
      readonly from: string;
      readonly to: string;
    }
  /** It is no longer desired, so it was removed from the state. */
  | { readonly type: 'subscription-removed'; readonly subscriptionIdentifier: string };

/** What an application records of the actions of its users. */
export type OperatorAction = Omit<Extract<ClusterHappening, { type: 'operator-action' }>, 'type'>;

/** What happened in the cluster, as its master wrote it down. `at` is ISO 8601. */
export type ClusterEvent = ClusterHappening & { readonly at: string };

/** One as it is read back: `eventId` is its place in the stream, `term` that of the master that wrote it. */
export type RecordedClusterEvent = ClusterEvent & { readonly eventId: string; readonly term: number };
