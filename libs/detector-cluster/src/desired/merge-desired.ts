import { inChunks } from '../util/run-in-slices.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';

/**
 * Union of the database's and the explicit subscriptions, by identifier. The database takes precedence, because it is
 * complete and current, while an explicit request may be old.
 * Yields where it may be interrupted.
 */
export function* mergeDesired(
  database: readonly DesiredCameraSubscription[],
  explicit: readonly DesiredCameraSubscription[],
): Generator<void, Map<string, DesiredCameraSubscription>> {
  const merged = new Map<string, DesiredCameraSubscription>();
  for (const subscriptions of [explicit, database])
    yield* inChunks(subscriptions, (subscription) => {
      merged.set(subscription.subscriptionIdentifier, subscription);
    });
  return merged;
}
