import type { OperatorAction } from '../shared/cluster-event.js';
import type { DrainForecast } from '@detector-cluster/placement/internal';
import type {
  Capacity,
  SubscriptionExplanation,
  Plan,
  PlanMove,
  WorkerScore,
} from '@detector-cluster/placement';
import type { ModelVersions } from '../shared/cluster-state.js';
import type { NoticedOutage } from './outage-records.js';
import type { ChangePreview, DesiredChange } from './plan-report.js';
import type { Resignation } from './resigner.js';

/** A move under way, in a form for people. */
export interface MoveUnderWay extends PlanMove {
  /** ISO 8601: when the master sent the unit to the new worker. */
  readonly since: string;
}

/** {@link Capacity} with the names of the models and of the worker. */
export interface ClusterCapacity extends Omit<Capacity, 'models'> {
  readonly models: readonly { readonly model: string; readonly headroom: number }[];
  /** Left out: there is none, or it has no name. */
  readonly emptiestWorkerName?: string | undefined;
}

/** What the master would do next, and what it is doing; JSON. */
export interface PlanPreview extends Pick<Plan, 'actions' | 'held' | 'unplaced' | 'balance'> {
  /** Term of the master that planned. */
  readonly term: number;
  /** With the names of the workers that have one. */
  readonly scores: readonly (WorkerScore & { readonly name?: string | undefined })[];
  /** Moves under way: the unit runs at `from` until `to` shows it. */
  readonly moves: readonly MoveUnderWay[];
  /** The models that have a version which not all of their cameras run. */
  readonly canaries: readonly ModelVersions[];
  /** The master's own network seems to have failed, so nothing is moved. */
  readonly frozen: boolean;
  /** Whether the workers are enough. */
  readonly capacity: ClusterCapacity;
}

/** The requests that the master carries out for any process. */
export interface MasterControls {
  /** Reads the desired state now. Resolves once there is a plan for it. */
  regenerate(): Promise<void>;
  /**
   * Reads the desired state and rebalances now, even if it is within the bands at which rebalancing starts automatically.
   * Resolves once its plan was carried out.
   * @param by who has requested it; null: unknown
   */
  rebalance(by: string | null): Promise<void>;
  /** Resends every subscription of a camera to its worker. Resolves with their number once they have been sent. */
  resubscribe(cameraId: string): Promise<number>;
  /**
   * Returns a plan at most a moment old, without carrying it out; with `rebalance`, as if rebalancing had been requested.
   */
  preview(options: { readonly rebalance: boolean }): Promise<PlanPreview>;
  /** Returns what a drain of the worker would do; nothing is changed. */
  previewDrain(url: string): Promise<DrainForecast>;
  /** Returns what this master would do after the change; nothing is changed. */
  previewChange(change: DesiredChange): Promise<ChangePreview>;
  /**
   * Returns null if the subscription is not desired. Waits for the first read of the desired state if the answer may depend on it.
   * @throws `MasterRequestError` `unreadable` when the desired state could not be read
   */
  explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation | null>;
  /** Reads the operators' directives and applies them. Resolves once the plan takes them into account. */
  directivesChanged(): Promise<void>;
  /**
   * All cameras of a model run this version of its file. Resolves with whether that has changed anything, once it is written down.
   * @throws `InvalidInputError` naming the parameter
   */
  setModelVersion(modelId: number, version: string): Promise<boolean>;
  /** Writes an action to the history. */
  record(action: OperatorAction): void;
  /** Writes an outage of Redis to the history, once for all processes that noticed it. */
  recordOutage(outage: NoticedOutage): void;
  /**
   * Gives up leadership if `term` is that of this master. Resolves when the election has recorded it. The same `requestId`
   * always gets the same result, also from later masters.
   * @throws `MasterChangedError` when another term leads; `TermOverError` when the master is already resigning
   */
  resign(term: number, requestId: string): Promise<Resignation>;
}
