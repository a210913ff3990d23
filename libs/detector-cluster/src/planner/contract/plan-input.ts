import type { WorkerLiveness } from '../../model/cluster-state.js';
import type { PlannerState } from './planner-state.js';

/**
 * The unit of placement: all subscriptions of one camera. A worker opens one stream per camera, so splitting a camera over
 * workers would open several streams on a camera that may allow only one.
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
  /** Higher priorities are placed first, and displace lower ones where there is no room. Default 0. */
  readonly priority?: number;
  /** Model ids it needs; a worker that has one loaded is slightly preferred. */
  readonly models?: readonly number[];
  /** The camera allows one stream at a time: a move stops it at the old worker before the new one starts. */
  readonly exclusive?: boolean;
}

/** The last known state of one worker. */
export interface PlanWorker {
  readonly url: string;
  /** `Ready` takes units; `Offline` loses what it has; in every other state it keeps what it has and gets nothing new. */
  readonly state: WorkerLiveness;
  /** Keeps what it has and gets nothing new. */
  readonly cordoned?: boolean;
  /** Start of its drain: it gets nothing new, and its units move elsewhere. On the clock of {@link Rebalance.now}. */
  readonly drainSince?: number;
  /** Sum of unit costs it may hold. Default 100; anything but a finite number above 0 counts as 0. */
  readonly capacity?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** Percent, 0 to 100; null when unknown or out of date. */
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly gpu: number | null;
  readonly gpuMemory: number | null;
  /** Idle usage of the worker (without subscriptions), in percent; 0 where unknown. Makes the projection more accurate. */
  readonly idle?: Readonly<Partial<Record<ReportedMetric, number>>>;
  /** Ids of the models it has loaded. */
  readonly models?: readonly number[];
}

export type ReportedMetric = 'cpu' | 'memory' | 'gpu' | 'gpuMemory';

/** A worker that failed a unit. */
export interface PlanPenalty {
  readonly unitId: string;
  readonly workerUrl: string;
  /** The failure is old: the worker may get the unit again, but another is preferred. Default false: it must not. */
  readonly soft?: boolean;
}

/** A move under way: the unit runs at `from`, and the master has sent it to `to`. It occupies both. */
export interface PlanMove {
  readonly unitId: string;
  readonly from: string;
  readonly to: string;
}

/** The input for decisions on moves that are not urgent. */
export interface Rebalance {
  /** Milliseconds on a clock that continues across a failover (`Date.now()`). */
  readonly now: number;
  /** The state that the last plan returned; null when there was none. */
  readonly state: PlannerState | null;
  /** Level the load now, even if it is within the bands at which levelling starts automatically. */
  readonly requested?: boolean;
}

export interface PlanInput {
  readonly units: readonly PlanUnit[];
  readonly workers: readonly PlanWorker[];
  /** Unit id to the URL of the worker that runs it now, or was sent it. An entry in `moves` takes precedence. */
  readonly placements: ReadonlyMap<string, string>;
  readonly penalties?: readonly PlanPenalty[];
  /** At most one for a unit. */
  readonly moves?: readonly PlanMove[];
  /** This process's network seems to have failed, not the workers: placed units stay, even on offline workers. */
  readonly frozen?: boolean;
  /** If omitted, no unit moves to level the load, and a drain moves all units at once instead of a few at a time. */
  readonly rebalance?: Rebalance;
}
