import type { PlanMove } from './plan-input.js';
import type { HeldMove, PlanAction, RejectionReason, UnplacedUnit, WorkerScore } from './plan-result.js';

/** One worker as it is seen for one unit. */
export interface WorkerVerdict {
  readonly url: string;
  /** Load with the unit, less how much the worker is preferred for it; the least of the workers without rejections is chosen. */
  readonly score: number;
  /** Weighted sum of the components with the unit on it. */
  readonly load: number;
  /** Models that the worker has loaded count for it, a failure some time ago against it. */
  readonly preference: number;
  readonly components: WorkerScore['components'];
  /** All reasons for which it does not take the unit; empty: it could. */
  readonly rejections: readonly RejectionReason[];
}

/** Why a subscription is where it is, and what is planned for it. */
export interface SubscriptionExplanation {
  readonly subscriptionIdentifier: string;
  /** What is placed together: the camera, and all subscriptions of it. */
  readonly unitId: string;
  readonly subscriptions: readonly string[];
  readonly cost: number;
  readonly priority: number;
  /** Where it runs, and where by the plan; null: nowhere. */
  readonly workerUrl: string | null;
  readonly plannedUrl: string | null;
  /** The move that is under way. */
  readonly moving: PlanMove | null;
  /** What the plan does with it; empty: nothing. */
  readonly actions: readonly PlanAction[];
  /** The move that is wanted but not begun. */
  readonly held: HeldMove | null;
  /** Why it has no worker, counted over the workers; null when it has one. */
  readonly unplaced: UnplacedUnit['reasons'] | null;
  /** Those that could take it first, the best first. */
  readonly workers: readonly WorkerVerdict[];
}
