import type { WorkerLiveness } from '../model/cluster-state.js';

/**
 * What is placed as a whole: all subscriptions of one camera. A worker opens one stream per camera, so splitting a
 * camera over workers would open several streams on a camera that may allow one.
 */
export interface PlanUnit {
  /** The camera's identifier. */
  readonly unitId: string;
  /** Subscription identifiers, sorted. */
  readonly subscriptions: readonly string[];
  /** Share of a worker's capacity that it takes; anything but a finite number above 0 counts as 1. */
  readonly cost: number;
  /** Labels that the worker must carry. */
  readonly selector?: Readonly<Record<string, string>>;
  /** Higher goes first, and displaces lower where there is no room. Default 0. */
  readonly priority?: number;
  /** Model ids it needs; a worker that has one loaded is preferred a little. */
  readonly models?: readonly number[];
}

/** One worker as last seen. */
export interface PlanWorker {
  readonly url: string;
  /** `Ready` takes units; `Connecting` and `Suspect` keep what they have; `Offline` loses it. */
  readonly state: WorkerLiveness;
  /** Keeps what it has and gets nothing new. */
  readonly cordoned?: boolean;
  /** Sum of unit costs it may hold. Default 100; anything but a finite number above 0 counts as 0. */
  readonly capacity?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** Percent, 0 to 100; null when unknown or out of date. */
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly gpu: number | null;
  readonly gpuMemory: number | null;
  /** What the worker uses with nothing subscribed, in percent; 0 where unknown. It sharpens the projection. */
  readonly idle?: Readonly<Partial<Record<ReportedMetric, number>>>;
  /** Ids of the models it has loaded. */
  readonly models?: readonly number[];
}

export type ReportedMetric = 'cpu' | 'memory' | 'gpu' | 'gpuMemory';

/** A worker that must not get a unit for now, because it failed there. */
export interface PlanPenalty {
  readonly unitId: string;
  readonly workerUrl: string;
}

export interface PlanInput {
  readonly units: readonly PlanUnit[];
  readonly workers: readonly PlanWorker[];
  /** Unit id to the URL of the worker that runs it now, or was told to. */
  readonly placements: ReadonlyMap<string, string>;
  readonly penalties?: readonly PlanPenalty[];
}

/** Why a worker cannot take a unit; of several reasons the first in this order counts. */
export type RejectionReason =
  'not-ready' | 'cordoned' | 'memory' | 'gpu-memory' | 'too-large' | 'selector' | 'penalty' | 'capacity';

/** Why a unit cannot stay where it is. */
export type LeaveReason =
  | 'worker-removed'
  | 'worker-offline'
  | 'selector'
  | 'penalty'
  | 'over-capacity'
  /** A unit of higher priority took its place. */
  | 'preempted'
  /** It is placed, but nobody wants it. */
  | 'not-desired';

export type PlanAction =
  | { readonly type: 'place'; readonly unitId: string; readonly to: string }
  | {
      readonly type: 'move';
      readonly unitId: string;
      readonly from: string;
      readonly to: string;
      readonly reason: LeaveReason;
    }
  /** Leaves its worker and has no other. */
  | {
      readonly type: 'evict';
      readonly unitId: string;
      readonly from: string;
      readonly reason: LeaveReason;
    };

/** A unit that no worker can take. */
export interface UnplacedUnit {
  readonly unitId: string;
  /** Reason to number of workers; the numbers add up to the number of workers. Empty when there is no worker. */
  readonly reasons: Readonly<Partial<Record<RejectionReason, number>>>;
}

/** A worker's load once the plan is carried out, every component in [0,1] while nothing is over its limit. */
export interface WorkerScore {
  readonly url: string;
  /** Weighted sum of the components that are known; lower is better. */
  readonly load: number;
  /** Null: not reported, left out of the sum and of the weights. */
  readonly components: Readonly<Record<'allocation' | ReportedMetric, number | null>>;
  /** Sum of the costs of the units on it. */
  readonly allocated: number;
  readonly capacity: number;
  /** Why it takes nothing new at all, or null. */
  readonly rejects: RejectionReason | null;
}

export interface Plan {
  /** Unit id to worker URL for every unit that has a worker. */
  readonly placements: ReadonlyMap<string, string>;
  /** What changes: evictions, then moves, then new placements; in an order that depends on the input's content only. */
  readonly actions: readonly PlanAction[];
  readonly unplaced: readonly UnplacedUnit[];
  /** Sorted by URL. */
  readonly scores: readonly WorkerScore[];
}
