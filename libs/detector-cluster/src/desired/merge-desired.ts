import type { DesiredCameraSubscription } from '../model/subscriptions.js';

/**
 * Union of what the database wants and what was asked for explicitly, by identifier. The database wins: its answer is
 * complete and current, an explicit request may be old.
 */
export function mergeDesired(
  database: readonly DesiredCameraSubscription[],
  explicit: readonly DesiredCameraSubscription[],
): DesiredCameraSubscription[] {
  const merged = new Map<string, DesiredCameraSubscription>();
  for (const subscription of [...explicit, ...database])
    merged.set(subscription.subscriptionIdentifier, subscription);
  return [...merged.values()];
}
