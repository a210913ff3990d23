import type { ReportedMetric } from './plan-input.js';
import type { PlannerState } from './planner-state.js';

/** Why a worker cannot take a unit, in the order in which reasons are looked for. */
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
  /** It is placed, but nobody wants it. */
  | 'not-desired';

/**
 * One step. A step that `waits` must not begin yet: its destination has no room until other steps are done. All others may
 * begin at once, in any order, once the evictions and what `breaksFirst` has to stop have been told to the workers.
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
       * Stop it at `from` before it starts at `to`: because it does not run there, its room is needed, or the camera
       * allows one stream. Otherwise it goes on at `from` until it runs at `to`.
       */
      readonly breaksFirst: boolean;
      readonly waits: boolean;
    }
  /** Leaves its worker and has no other. */
  | {
      readonly type: 'evict';
      readonly unitId: string;
      readonly from: string;
      readonly reason: LeaveReason;
    }
  /** The move under way from `from` to `to` is over: stop it at `to`. What becomes of it, other actions say; if none, it stays. */
  | {
      readonly type: 'abort';
      readonly unitId: string;
      readonly from: string;
      readonly to: string;
      readonly reason: LeaveReason;
    };

/** What a move that is wanted waits for. */
export type HoldReason =
  /** The set of workers or the state of one changed a moment ago. */
  | 'settling'
  /** So many moves as one round allows have begun. */
  | 'budget'
  /** As many moves as may be under way at once, in all or to one worker, are. */
  | 'in-flight'
  /** It was moved not long ago. */
  | 'cooldown'
  /** Levelling has taken as many moves as it may, and rests before it may start anew. */
  | 'resting'
  /** No other worker can take it. */
  | 'no-room'
  | 'frozen';

/** A move that is wanted but not begun: the unit stays for now. */
export interface HeldMove {
  readonly unitId: string;
  readonly from: string;
  /** Where it would go; null when no worker can take it. */
  readonly to: string | null;
  readonly reason: LeaveReason;
  readonly heldBy: HoldReason;
}

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

/** How evenly the load is spread over the workers that take part (ready, not cordoned, not drained) after the plan. */
export interface Balance {
  /** Standard deviation of the workers' loads. */
  readonly deviation: number;
  /** Highest less lowest load. */
  readonly spread: number;
  /** Highest less lowest allocation (share of capacity), relative to the mean allocation. */
  readonly allocationSpread: number;
  /** Moves by choice go on until the load is within the inner bands or none of them would help. */
  readonly levelling: boolean;
}

export interface Plan {
  /** What changes: aborts, evictions, moves, then placements; in an order that depends on the input's content only. */
  readonly actions: readonly PlanAction[];
  readonly unplaced: readonly UnplacedUnit[];
  /** Sorted by URL. */
  readonly scores: readonly WorkerScore[];
  readonly balance: Balance;
  /** Moves that are wanted but not part of this plan; of moves by choice no more than the next few. */
  readonly held: readonly HeldMove[];
  /** To be handed to the next plan; null when `rebalance` was left out. */
  readonly state: PlannerState | null;
  /** When to plan again although nothing happens, on the clock of `Rebalance.now`; null: no need. */
  readonly reviewAt: number | null;
}

/** A plan, and what it comes to. */
export interface PlanWithPlacements extends Plan {
  /** Unit id to worker URL for every unit that has a worker, in the order of the units. */
  readonly placements: ReadonlyMap<string, string>;
}
