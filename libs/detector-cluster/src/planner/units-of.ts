import type { PlacementHints } from '../desired/placement-hints.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import { atOnce, withPauses } from '../util/breather.js';
import type { PlanUnit } from './contract/plan-input.js';

export type UnitSubscription = Pick<DesiredCameraSubscription, 'subscriptionIdentifier' | 'modelId'> & {
  readonly hints?: PlacementHints;
};

/**
 * Groups subscriptions into units, one for each camera. Costs are added up, the highest priority counts, and the worker
 * must carry all labels that any of them asks for. Throws `InvalidInputError` for an invalid identifier.
 */
export function unitsOf(subscriptions: Iterable<UnitSubscription>): PlanUnit[] {
  return atOnce(unitsOfSteps(subscriptions));
}

/** {@link unitsOf}; yields where it may be interrupted. */
export function* unitsOfSteps(subscriptions: Iterable<UnitSubscription>): Generator<void, PlanUnit[]> {
  const byCamera = new Map<string, UnitSubscription[]>();
  yield* withPauses(subscriptions, (subscription) => {
    const { cameraId } = parseSubscription(subscription.subscriptionIdentifier);
    const group = byCamera.get(cameraId);
    if (group) group.push(subscription);
    else byCamera.set(cameraId, [subscription]);
  });
  const units: PlanUnit[] = [];
  yield* withPauses(byCamera, ([unitId, group]) => {
    units.push({
      unitId,
      subscriptions: group.map((s) => s.subscriptionIdentifier).sort(),
      cost: group.reduce((sum, { hints }) => sum + (hints?.cost ?? 1), 0),
      models: [...new Set(group.map((s) => s.modelId))].sort((a, b) => a - b),
      ...demandsOf(group),
    });
  });
  return units;
}

function demandsOf(
  group: readonly UnitSubscription[],
): Pick<PlanUnit, 'priority' | 'selector' | 'exclusive'> {
  const hints = group.flatMap((subscription) => subscription.hints ?? []);
  if (hints.length === 0) return {};
  const priorities = hints.flatMap(({ priority }) => priority ?? []);
  const selector = mergedSelector(hints);
  return {
    ...(priorities.length > 0 && { priority: Math.max(...priorities) }),
    ...(selector && { selector }),
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
