import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/**
 * Worker URL → names of the models that its subscriptions need, sorted.
 * @param models subscription → name of its model
 */
export function modelsByWorker(
  subscriptions: Rows<SubscriptionRow>,
  models: Rows<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { subscriptionIdentifier, workerUrl } of Object.values(subscriptions)) {
    const model = models[subscriptionIdentifier];
    if (workerUrl === '' || model === undefined) continue;
    const names = found.get(workerUrl);
    if (names === undefined) found.set(workerUrl, new Set([model]));
    else names.add(model);
  }
  return new Map([...found].map(([url, names]) => [url, [...names].sort()]));
}
