import type { WorkerLiveness } from '../../model/cluster-state.js';
import type { PlannerState } from './planner-state.js';

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
  /** The camera allows one stream at a time: a move stops it at the old worker before the new one starts. */
  readonly exclusive?: boolean;
}

/** One worker as last seen. */
export interface PlanWorker {
  readonly url: string;
  /** `Ready` takes units; `Offline` loses what it has; in every other state it keeps what it has and gets nothing new. */
  readonly state: WorkerLiveness;
  /** Keeps what it has and gets nothing new. */
  readonly cordoned?: boolean;
  /** Since when it is being drained: gets nothing new, and its units move elsewhere. On the clock of {@link Rebalance.now}. */
  readonly drainSince?: number;
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

/** A worker that failed a unit. */
export interface PlanPenalty {
  readonly unitId: string;
  readonly workerUrl: string;
  /** It is some time ago: the worker may get the unit again, but another is preferred. Default false: it must not. */
  readonly soft?: boolean;
}

/** A move under way: the unit runs at `from`, and `to` has been told to start it. It occupies both. */
export interface PlanMove {
  readonly unitId: string;
  readonly from: string;
  readonly to: string;
}

/** What is needed to decide on moves that are not urgent. */
export interface Rebalance {
  /** Milliseconds on a clock that goes on over a fail-over (`Date.now()`). */
  readonly now: number;
  /** As the last plan returned it; null when there was none. */
  readonly state: PlannerState | null;
  /** Level the load now although it is within the bands at which that starts by itself. */
  readonly requested?: boolean;
}

export interface PlanInput {
  readonly units: readonly PlanUnit[];
  readonly workers: readonly PlanWorker[];
  /** Unit id to the URL of the worker that runs it now, or was told to. What `moves` says of a unit takes precedence. */
  readonly placements: ReadonlyMap<string, string>;
  readonly penalties?: readonly PlanPenalty[];
  /** At most one for a unit. */
  readonly moves?: readonly PlanMove[];
  /** It seems to be our network that fails, not the workers: what is placed stays, even on workers that are offline. */
  readonly frozen?: boolean;
  /** Left out: nothing moves to level the load, and drains take place at once instead of a few units at a time. */
  readonly rebalance?: Rebalance;
}
