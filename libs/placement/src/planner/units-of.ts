import type { PlacementHints } from '../model/placement-hints.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { inChunks } from '../model/in-chunks.js';
import type { PlanUnit } from './plan.types.js';

/** A desired subscription, as far as placement depends on it. */
export interface UnitSubscription {
  readonly cameraId: string;
  readonly spec: Pick<DesiredCameraSubscription, 'subscriptionIdentifier' | 'modelId'>;
  readonly hints?: PlacementHints;
}

/**
 * Groups subscriptions into units, one for each camera. Costs are added up, the highest priority counts, and the worker
 * must carry all labels that any of them asks for. Yields where it may be interrupted.
 */
export function* unitsOfSteps(subscriptions: Iterable<UnitSubscription>): Generator<void, PlanUnit[]> {
  // Most cameras have one subscription, and a list for each of very many cameras costs memory and time.
  const byCamera = new Map<string, UnitSubscription | UnitSubscription[]>();
  yield* inChunks(subscriptions, (subscription) => {
    const { cameraId } = subscription;
    const known = byCamera.get(cameraId);
    if (known === undefined) byCamera.set(cameraId, subscription);
    else if (Array.isArray(known)) known.push(subscription);
    else byCamera.set(cameraId, [known, subscription]);
  });
  const units: PlanUnit[] = [];
  const modelsOf = new Map<number, readonly number[]>();
  yield* inChunks(byCamera, ([unitId, group]) => {
    units.push(Array.isArray(group) ? unitOfMany(unitId, group) : unitOfOne(unitId, group, modelsOf));
  });
  return units;
}

/** @param modelsOf lists of one model, which units share */
function unitOfOne(
  unitId: string,
  { spec, hints }: UnitSubscription,
  modelsOf: Map<number, readonly number[]>,
): PlanUnit {
  const { modelId, subscriptionIdentifier } = spec;
  const models = modelsOf.get(modelId) ?? [modelId];
  modelsOf.set(modelId, models);
  const unit = { unitId, subscriptions: [subscriptionIdentifier], cost: hints?.cost ?? 1, models };
  return hints === undefined ? unit : { ...unit, ...demandsOf([hints]) };
}

function unitOfMany(unitId: string, subscriptions: readonly UnitSubscription[]): PlanUnit {
  const idOf = ({ spec }: UnitSubscription) => spec.subscriptionIdentifier;
  const group = subscriptions.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return {
    unitId,
    subscriptions: group.map(idOf),
    cost: group.reduce((sum, { hints }) => sum + (hints?.cost ?? 1), 0),
    models: [...new Set(group.map(({ spec }) => spec.modelId))].sort((a, b) => a - b),
    ...demandsOf(group.flatMap(({ hints }) => hints ?? [])),
  };
}

function demandsOf(
  hints: readonly PlacementHints[],
): Pick<PlanUnit, 'priority' | 'selector' | 'preferred' | 'exclusive'> {
  if (hints.length === 0) return {};
  const priorities = hints.flatMap(({ priority }) => priority ?? []);
  const selector = mergedSelector(hints);
  const preferred = hints.find((each) => each.preferred !== undefined)?.preferred;
  return {
    ...(priorities.length > 0 && { priority: Math.max(...priorities) }),
    ...(selector && { selector }),
    ...(preferred && { preferred }),
    ...(hints.some(({ exclusive }) => exclusive) && { exclusive: true }),
  };
}

/** If two subscriptions ask for different values of a label, no worker matches. */
function mergedSelector(hints: readonly PlacementHints[]): Record<string, string> | null {
  const values = new Map<string, Set<string>>();
  for (const { selector } of hints)
    for (const [label, value] of Object.entries(selector ?? {}))
      values.set(label, (values.get(label) ?? new Set()).add(value));
  if (values.size === 0) return null;
  return Object.fromEntries([...values].map(([label, wanted]) => [label, [...wanted].sort().join(' and ')]));
}
