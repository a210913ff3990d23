import { InvalidInputError, parseSubscription } from '@detector-cluster/placement/internal';
import type { OperatorAction } from '../shared/cluster-event.js';
import { MAX_NAME, MAX_TARGET, type MasterMethods } from './master-methods.js';
import { MAX_CHANGED_SUBSCRIPTIONS, type DesiredChange } from './plan-report.js';

/** Which master is to resign. */
export interface ResignOptions {
  /** Only the master of this term. Default: the one that this process knows at the moment. */
  readonly term?: number;
}

/** How to rebalance. */
export interface RebalanceOptions {
  /** Who requests it: a name of up to 128 characters, never a key. */
  readonly by?: string;
}

/** Which plan to return. */
export interface PlanOptions {
  /** Only true is allowed: this call only shows a plan, and the master carries plans out. */
  readonly dryRun: true;
  /** Plan as if rebalancing had been requested with `rebalanceWorkers`. Default false. */
  readonly rebalance?: boolean;
}

type Unchecked<Options> = Partial<Record<keyof Options, unknown>>;

// What callers give to requests of operators, as the parameters of the master's methods. Each throws an InvalidInputError that names the field.

export function planParams(options: PlanOptions): MasterMethods['preview']['params'] {
  const { dryRun, rebalance = false } = (options ?? {}) as Unchecked<PlanOptions>;
  if (dryRun !== true)
    throw new InvalidInputError(
      'dryRun',
      'must be true: plan() shows a plan and carries none out; rebalanceWorkers() does',
    );
  if (typeof rebalance !== 'boolean') throw new InvalidInputError('rebalance', 'must be true or false');
  return { rebalance };
}

export function changeParams(change: DesiredChange): DesiredChange {
  const { added, removed } = (change ?? {}) as Partial<DesiredChange>;
  for (const [field, list] of Object.entries({ added, removed }))
    if (!Array.isArray(list) || list.length > MAX_CHANGED_SUBSCRIPTIONS)
      throw new InvalidInputError(field, `must be an array of up to ${MAX_CHANGED_SUBSCRIPTIONS} entries`);
  for (const { subscriptionIdentifier } of added!) parseSubscription(subscriptionIdentifier);
  for (const id of removed!) parseSubscription(id);
  return { added: added!, removed: removed! };
}

/** The term that is to end; undefined: the present one. */
export function termToResign(options: ResignOptions = {}): number | undefined {
  const { term } = (options ?? {}) as Unchecked<ResignOptions>;
  if (term !== undefined && !(Number.isSafeInteger(term) && (term as number) > 0))
    throw new InvalidInputError('term', `must be the term of a master, got ${String(term)}`);
  return term as number | undefined;
}

export function rebalanceParams(options: RebalanceOptions = {}): MasterMethods['rebalance']['params'] {
  const { by } = (options ?? {}) as Unchecked<RebalanceOptions>;
  if (by === undefined) return {};
  if (typeof by !== 'string' || by.length > MAX_NAME)
    throw new InvalidInputError('by', `must be text of up to ${MAX_NAME} characters`);
  return { by };
}

export function versionParams(modelId: number, version: string): MasterMethods['setModelVersion']['params'] {
  if (!Number.isSafeInteger(modelId))
    throw new InvalidInputError('modelId', `must be the id of a model, got ${String(modelId)}`);
  if (typeof version !== 'string' || version === '')
    throw new InvalidInputError('version', 'must be a version that getModels() lists');
  return { modelId, version };
}

export function recordParams(given: OperatorAction): OperatorAction {
  const { by, target = null, action } = (given ?? {}) as Partial<OperatorAction>;
  for (const [field, text, most] of [
    ['by', by, MAX_NAME],
    ['action', action, MAX_NAME],
    ['target', target ?? '', MAX_TARGET],
  ] as const)
    if (typeof text !== 'string' || text.length > most)
      throw new InvalidInputError(field, `must be a string of up to ${most} characters`);
  return { by: by!, action: action!, target };
}
