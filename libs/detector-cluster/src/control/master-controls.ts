import type { OperatorAction } from '../model/cluster-event.js';
import type { SubscriptionExplanation } from '../planner/contract/explanation.js';
import type { Plan } from '../planner/contract/plan-result.js';
import type { PlanMove } from '../planner/contract/plan-input.js';
import type { Resignation } from './resignation/resignation.js';

/** A move under way, as people read it. */
export interface MoveUnderWay extends PlanMove {
  /** ISO 8601: when the new worker was told. */
  readonly since: string;
}

/** What the master would do next, and what it is doing; JSON. */
export interface PlanPreview extends Pick<Plan, 'actions' | 'held' | 'unplaced' | 'scores' | 'balance'> {
  /** Term of the master that planned. */
  readonly term: number;
  /** Moves under way: the unit runs at `from` until `to` shows it. */
  readonly moves: readonly MoveUnderWay[];
  /** It seems to be our network that fails: nothing is moved. */
  readonly frozen: boolean;
}

/** What the master does at the request of any process. */
export interface MasterControls {
  /** Reads the desired state now. Resolves once there is a plan of it. */
  regenerate(): Promise<void>;
  /**
   * Reads the desired state and levels the load now, although it may be within the bands at which that starts by itself.
   * Resolves with the plan that was carried out.
   */
  rebalance(): Promise<PlanPreview>;
  /** Sends every subscription of a camera to its worker again. Resolves with their number once they have been sent. */
  resubscribe(cameraId: string): Promise<number>;
  /**
   * The plan as it would be made now or a moment ago, as if levelling had been asked for when `rebalance`. Nothing is done.
   */
  preview(options: { readonly rebalance: boolean }): PlanPreview;
  /**
   * Null: not desired. Waits for the desired state to be read for the first time where that may make a difference.
   * @throws `MasterRequestError` `unreadable` when that could not be read
   */
  explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation | null>;
  /** Reads what operators want of the workers, and acts upon it. Resolves once the plan takes it into account. */
  directivesChanged(): Promise<void>;
  /** Writes an action to the history. */
  record(action: OperatorAction): void;
  /**
   * Gives up leadership, if `term` is that of this master. Resolves when the election knows; under one `requestId` always
   * with the same, also under later masters.
   * @throws `MasterChangedError` when another term leads; `TenureOverError` when it is giving up already
   */
  resign(term: number, requestId: string): Promise<Resignation>;
}
