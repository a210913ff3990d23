import type { LeaveReason } from '@detector-cluster/placement';
import type { SkipReason } from '@detector-cluster/placement/internal';

/** An event without its time. */
export type ClusterHappening =
  | { readonly type: 'master-acquired'; readonly processId: string }
  | {
      readonly type:
        'worker-online' | 'worker-offline' | 'worker-drained' | 'worker-added' | 'worker-removed';
      readonly url: string;
    }
  /** It gets nothing new until then (ISO 8601): it was lost so often (`flapping`), or sends too much (`flooding`). */
  | {
      readonly type: 'worker-quarantined';
      readonly url: string;
      readonly until: string;
      readonly reason: 'flapping' | 'flooding';
    }
  /** An action of a user of the application. */
  | {
      readonly type: 'operator-action';
      /** The name of the user, never a key. Up to 128 characters. */
      readonly by: string;
      /** Up to 128 characters, such as `workersDrain`. */
      readonly action: string;
      /** The object of the action, up to 512 characters; null if there is none. */
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
  /** A worker cannot load the model of these cameras. They run elsewhere, if another worker can. */
  | {
      readonly type: 'model-failed';
      readonly url: string;
      /** The first of the cameras. */
      readonly cameraId: string;
      /** How many there are. */
      readonly cameras: number;
      /** Why, in the words of the worker about the first one; may be empty. Up to 200 characters. */
      readonly problem: string;
    }
  /**
   * A model's file has another version. `canary`: some cameras get it first. `everywhere`: all cameras get it. `back`: the cameras that ran
   * it get the former one. In each case one camera after another.
   */
  | {
      readonly type: 'model-version';
      readonly step: 'canary' | 'everywhere' | 'back';
      readonly modelId: number;
      readonly modelName: string;
      readonly version: string;
      /** What other cameras run, or ran before; after the step `back`: what all run now. */
      readonly former: string;
      /** How many percent of the cameras get it. */
      readonly share: number;
    }
  /** How far that has come. `paused`: no further camera gets the version until those run it that have failed. `done`: no camera waits for it. */
  | {
      readonly type: 'model-rollout';
      readonly step: 'paused' | 'done';
      readonly modelId: number;
      readonly modelName: string;
      readonly version: string;
      /** How many cameras are to run it. */
      readonly cameras: number;
      /** How many of them run it. */
      readonly ready: number;
      /** How many of them have a worker that cannot load it. */
      readonly failed: number;
    }
  /** It is no longer desired, so it was removed from the state. */
  | {
      readonly type: 'subscription-removed';
      readonly subscriptionIdentifier: string;
      /** Why its display is skipped, although it exists; null: nothing desires the subscription. */
      readonly skipped: SkipReason | null;
    };

/** An action of a user that the application records. */
export type OperatorAction = Omit<Extract<ClusterHappening, { type: 'operator-action' }>, 'type'>;

/** An event of the cluster as recorded by its master. `at` is ISO 8601. */
export type ClusterEvent = ClusterHappening & { readonly at: string };

/** An event as it is read: `eventId` is its place in the stream, `term` is the term of the master that wrote it. */
export type RecordedClusterEvent = ClusterEvent & { readonly eventId: string; readonly term: number };
