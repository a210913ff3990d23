import type { PlanMove } from './plan-input.js';
import type { HeldMove, PlanAction, RejectionReason, UnplacedUnit, WorkerScore } from './plan-result.js';

/** The assessment of one worker for one unit. */
export interface WorkerVerdict {
  readonly url: string;
  /** Load with the unit minus the worker's preference; the planner chooses the lowest among workers without rejections. */
  readonly score: number;
  /** Weighted sum of the components with the unit on it. */
  readonly load: number;
  /** Loaded models raise it; an earlier failure lowers it. */
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
}
