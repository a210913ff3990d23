import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import type { PlanUnit } from './contract/plan-input.js';

export type UnitSubscription = Pick<DesiredCameraSubscription, 'subscriptionIdentifier' | 'modelId'>;

/**
 * The units that subscriptions make: one for each camera. `costOf` is the share of a worker's capacity that a subscription
 * takes, 1 by default; the cost of a unit is the sum. Throws `InvalidInputError` for an identifier that is none.
 */
export function unitsOf<S extends UnitSubscription>(
  subscriptions: Iterable<S>,
  costOf: (subscription: S) => number = () => 1,
): PlanUnit[] {
  const byCamera = new Map<string, S[]>();
  for (const subscription of subscriptions) {
    const { cameraId } = parseSubscription(subscription.subscriptionIdentifier);
    const group = byCamera.get(cameraId);
    if (group) group.push(subscription);
    else byCamera.set(cameraId, [subscription]);
  }
  return [...byCamera].map(([unitId, group]) => ({
    unitId,
    subscriptions: group.map((s) => s.subscriptionIdentifier).sort(),
    cost: group.reduce((sum, s) => sum + costOf(s), 0),
    models: [...new Set(group.map((s) => s.modelId))].sort((a, b) => a - b),
  }));
}
