import type { ReportedMetric } from './plan-input.js';
import type { PlannerState } from './planner-state.js';

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
export type LeaveReason =
  | 'worker-removed'
  | 'worker-offline'
  | 'selector'
  | 'penalty'
  | 'over-capacity'
  /** A unit of higher priority took its place. */
  | 'preempted'
  | 'drain'
  /** To level the load. */
  | 'balance'
  /** It is placed, but not desired. */
  | 'not-desired';

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
  /** Levelling has made as many moves as it may, and pauses before it may start again. */
  | 'resting'
  /** No other worker can take it. */
  | 'no-room'
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
  readonly levelling: boolean;
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
