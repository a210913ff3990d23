import type {
  Capacity,
  Plan,
  PlanAction,
  PlanMove,
  UnplacedUnit,
  WorkerScore,
} from '@detector-cluster/placement';
import type { ModelVersions } from '../shared/cluster-state.js';

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

/** Maximum number of entries of each list of a plan: it has to fit into one message, and people have to read it. */
const MAX_ENTRIES = 1_000;

/** The lists that grow with the number of subscriptions. */
const LISTS = ['actions', 'held', 'unplaced', 'moves'] as const;

/** A plan of bounded size: the first 1,000 entries of each list, and how many were omitted. */
export interface PlanReport extends PlanPreview {
  /** Number of omitted entries by list; 0 for a complete list. */
  readonly omitted: Readonly<Record<(typeof LISTS)[number], number>>;
}

export function planReport(plan: PlanPreview, most = MAX_ENTRIES): PlanReport {
  const { term, scores, balance, canaries, frozen, capacity, actions, held, unplaced, moves } = plan;
  return {
    term,
    actions: actions.slice(0, most),
    held: held.slice(0, most),
    unplaced: unplaced.slice(0, most),
    moves: moves.slice(0, most),
    scores,
    balance,
    canaries: canaries.slice(0, most),
    frozen,
    capacity,
    omitted: Object.fromEntries(
      LISTS.map((list) => [list, Math.max(0, plan[list].length - most)]),
    ) as PlanReport['omitted'],
  };
}

/** A change of the desired state that has not been made. */
export interface DesiredChange {
  /** Subscriptions that the source would add, or return with other parameters. Without URLs, which may hold credentials. */
  readonly added: readonly ChangedSubscription[];
  /** Identifiers of subscriptions that the source would no longer return. */
  readonly removed: readonly string[];
}

export interface ChangedSubscription {
  /** `<displayId>;<cameraId>` */
  readonly subscriptionIdentifier: string;
  readonly modelId: number;
  readonly modelName: string;
}

/** Where a subscription of the change runs, and would run. */
export interface ChangePlacement {
  readonly subscriptionIdentifier: string;
  /** Null: no worker. */
  readonly from: string | null;
  /** Null: none, because it would be removed, or because no worker can take it. */
  readonly to: string | null;
  /** Why no worker can take it; null: one can, or it would be removed. */
  readonly reasons: UnplacedUnit['reasons'] | null;
}

/** What the master would do after a change of the desired state; JSON. */
export interface ChangePreview {
  /** Term of the master that planned. */
  readonly term: number;
  /** The master's own network seems to have failed, so nothing is moved. */
  readonly frozen: boolean;
  /** One for each subscription of the change. */
  readonly placements: readonly ChangePlacement[];
  /** Steps for other cameras that are not planned without the change. The first 100. */
  readonly others: readonly PlanAction[];
  /** Number of omitted steps. */
  readonly omitted: number;
}

/** A change that is previewed may have at most this many subscriptions: it has to fit into one message. */
export const MAX_CHANGED_SUBSCRIPTIONS = 10_000;

/** How many steps for other cameras are listed. */
const MAX_OTHERS = 100;

/** The steps of `after` that are not in `before` and that are not about the cameras of the change. */
export function otherSteps(
  after: readonly PlanAction[],
  before: readonly PlanAction[],
  cameras: ReadonlySet<string>,
): Pick<ChangePreview, 'others' | 'omitted'> {
  const planned = new Set(before.map((action) => JSON.stringify(action)));
  const steps = after.filter((action) => !cameras.has(action.unitId) && !planned.has(JSON.stringify(action)));
  return { others: steps.slice(0, MAX_OTHERS), omitted: Math.max(0, steps.length - MAX_OTHERS) };
}

/** The subscription is not desired, so there is nothing to explain. */
export class SubscriptionNotDesiredError extends Error {
  override readonly name = 'SubscriptionNotDesiredError';
  readonly code = 'SUBSCRIPTION_NOT_DESIRED';

  constructor(readonly subscriptionIdentifier: string) {
    super(
      `${subscriptionIdentifier} is not desired: no display in the database yields it and no subscribeToCamera asked for it; getSubscriptions() lists those that are, and the displays that yield none`,
    );
  }
}
