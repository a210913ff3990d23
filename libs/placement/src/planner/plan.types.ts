import type { WorkerLiveness } from '../model/worker-liveness.js';
import type { LEAVE_REASONS } from './leave-reasons.js';

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
  /** Kinds of workers by their labels, the best first. The unit goes to the first kind that has room, or else to any worker. */
  readonly preferred?: readonly Readonly<Record<string, string>>[];
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
  /** Rebalance now, even if it is within the bands at which rebalancing starts automatically. */
  readonly requested?: boolean;
  /** No move to balance the load begins before, unless it was requested, on the clock of `now`; null: any may. Default null. */
  readonly opensAt?: number | null;
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
  /** If omitted, no unit moves to balance the load, and a drain moves all units at once instead of a few at a time. */
  readonly rebalance?: Rebalance;
}

/** Why a worker cannot take a unit, in the order in which the planner checks the reasons. */
export type RejectionReason =
  | 'not-ready'
  | 'cordoned'
  | 'draining'
  | 'memory'
  | 'gpu-memory'
  | 'too-large'
  | 'selector'
  | 'penalty'
  | 'capacity';

/** Why a unit does not stay where it is. */
export type LeaveReason = (typeof LEAVE_REASONS)[number];

/**
 * One step. A step that `waits` must not begin yet: its destination has no room until other steps are done. All others may
 * begin at once, in any order, after the master has sent the stop commands for evictions and `breaksFirst` moves.
 */
export type PlanAction =
  | {
      readonly type: 'place';
      readonly unitId: string;
      readonly to: string;
      readonly waits: boolean;
    }
  | {
      readonly type: 'move';
      readonly unitId: string;
      readonly from: string;
      readonly to: string;
      readonly reason: LeaveReason;
      /**
       * Stop the unit at `from` before it starts at `to`: it does not run there, its room is needed, or the camera allows one
       * stream. Otherwise it keeps running at `from` until it runs at `to`.
       */
      readonly breaksFirst: boolean;
      readonly waits: boolean;
    }
  /** The unit leaves its worker and has no other. */
  | {
      readonly type: 'evict';
      readonly unitId: string;
      readonly from: string;
      readonly reason: LeaveReason;
    }
  /** The move from `from` to `to` is aborted: stop the unit at `to`. It stays at `from` unless another action moves it. */
  | {
      readonly type: 'abort';
      readonly unitId: string;
      readonly from: string;
      readonly to: string;
      readonly reason: LeaveReason;
    };

/** Why a planned move is held. */
export type HoldReason =
  /** The set of workers or the state of one has just changed. */
  | 'settling'
  /** The round has begun as many moves as it may. */
  | 'budget'
  /** The limit of moves under way, in total or to one worker, is reached. */
  | 'in-flight'
  /** The unit was moved recently. */
  | 'cooldown'
  /** Rebalancing has made as many moves as it may, and pauses before it may start again. */
  | 'resting'
  /** No other worker can take it. */
  | 'no-room'
  /** The load is balanced only within given times. */
  | 'window'
  | 'frozen';

/** A move that is planned but held: the unit stays for now. */
export interface HeldMove {
  readonly unitId: string;
  readonly from: string;
  /** The destination; null when no worker can take the unit. */
  readonly to: string | null;
  readonly reason: LeaveReason;
  readonly heldBy: HoldReason;
}

/** A unit that no worker can take. */
export interface UnplacedUnit {
  readonly unitId: string;
  /** Number of workers per reason; the numbers add up to the number of workers. Empty when there is no worker. */
  readonly reasons: Readonly<Partial<Record<RejectionReason, number>>>;
}

/** A worker's load after the plan; each component is in [0,1] while nothing exceeds its limit. */
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

/** How evenly the load is spread over the workers that take part (ready, not cordoned, not drained) after the plan. */
export interface Balance {
  /** Standard deviation of the workers' loads. */
  readonly deviation: number;
  /** Highest minus lowest load. */
  readonly spread: number;
  /** Highest minus lowest allocation (share of capacity), relative to the mean allocation. */
  readonly allocationSpread: number;
  /** Moves by choice continue until the load is within the inner bands or none of them would help. */
  readonly rebalancing: boolean;
}

export interface Plan {
  /** The changes: aborts, evictions, moves, then placements. The order depends on the content of the input only. */
  readonly actions: readonly PlanAction[];
  readonly unplaced: readonly UnplacedUnit[];
  /** Sorted by URL. */
  readonly scores: readonly WorkerScore[];
  readonly balance: Balance;
  /** Held moves, which are not part of this plan; of moves by choice only the next few. */
  readonly held: readonly HeldMove[];
  /** The state for the next plan; null when `rebalance` was omitted. */
  readonly state: PlannerState | null;
  /** When to plan again if nothing changes, on the clock of `Rebalance.now`; null: not necessary. */
  readonly reviewAt: number | null;
}

/** A plan and its resulting placements. */
export interface PlanWithPlacements extends Plan {
  /** Unit id to worker URL for every unit that has a worker, in the order of the units. */
  readonly placements: ReadonlyMap<string, string>;
}

/** The assessment of one worker for one unit. */
export interface WorkerVerdict {
  readonly url: string;
  /** Load with the unit minus the worker's preference; the planner chooses the lowest among workers without rejections. */
  readonly score: number;
  /** Weighted sum of the components with the unit on it. */
  readonly load: number;
  /** Loaded models raise it; an earlier failure lowers it, and by 10 each kind that the unit prefers to this worker. */
  readonly preference: number;
  readonly components: WorkerScore['components'];
  /** All reasons why the worker does not take the unit; empty: it could. */
  readonly rejections: readonly RejectionReason[];
}

/** Why a subscription runs on its worker, and what the plan does with it. */
export interface SubscriptionExplanation {
  readonly subscriptionIdentifier: string;
  /** The unit of placement: the camera and all of its subscriptions. */
  readonly unitId: string;
  readonly subscriptions: readonly string[];
  readonly cost: number;
  readonly priority: number;
  /** The worker that runs it, and the worker in the plan; null: none. */
  readonly workerUrl: string | null;
  readonly plannedUrl: string | null;
  /** The move that is under way. */
  readonly moving: PlanMove | null;
  /** The actions of the plan for it; empty: none. */
  readonly actions: readonly PlanAction[];
  /** The move that is planned but held. */
  readonly held: HeldMove | null;
  /** Why it has no worker, counted over the workers; null when it has one. */
  readonly unplaced: UnplacedUnit['reasons'] | null;
  /** Workers that could take it come first, sorted from the best. */
  readonly workers: readonly WorkerVerdict[];
  /** Its model; absent without a cluster. */
  readonly model?: ExplainedModel;
}

/** Which version of a model's file a subscription runs, and why. */
export interface ExplainedModel {
  readonly modelId: number;
  readonly modelName: string;
  /** Null: it is not known. */
  readonly version: string | null;
  /** The version that the camera gets when it is its turn; null: that which it has. */
  readonly next: string | null;
  /** A version that not all cameras of the model run; null: there is none. */
  readonly candidate: string | null;
  /** The camera is one of those that run the candidate. */
  readonly isCanary: boolean;
}

/**
 * What a planner remembers from one plan to the next. Plain JSON: the master stores it after each plan, and a successor
 * continues from it. Times are milliseconds on the clock of `Rebalance.now`.
 */
export interface PlannerState {
  /**
   * Start of rebalancing, how many more moves it may make, and whether it was requested; null while it is inactive. Rebalancing pauses when
   * none are left.
   */
  readonly rebalancing: {
    readonly since: number;
    readonly left: number;
    readonly requested?: true;
  } | null;
  /** Unit id and the end of its cooldown for moves by choice; sorted by id, without expired entries. */
  readonly cooldowns: readonly (readonly [unitId: string, until: number])[];
  /** Moves by choice that began in the current round, which bounds them. */
  readonly round: { readonly startedAt: number; readonly moves: number };
  /** Digest of the workers and their states, and the time of its last change. */
  readonly membership: { readonly digest: number; readonly since: number };
}
