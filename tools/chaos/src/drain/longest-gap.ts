import type { Delivery } from '../journal/journal-line.js';

/**
 * The longest time for which a subscription got no detection, of all subscriptions, between two instants. A subscription that
 * got none at all was without for the whole time. Milliseconds.
 * @param deliveries in the order of the calls
 */
export function longestGap(
  deliveries: readonly Delivery[],
  subscriptions: Iterable<string>,
  from: number,
  to: number,
): number {
  const last = new Map<string, number>();
  for (const subscription of subscriptions) last.set(subscription, from);
  let longest = 0;
  for (const { subscriptionIdentifier, at } of deliveries) {
    const before = last.get(subscriptionIdentifier);
    if (before === undefined || at < from || at > to) continue;
    longest = Math.max(longest, at - before);
    last.set(subscriptionIdentifier, at);
  }
  for (const at of last.values()) longest = Math.max(longest, to - at);
  return longest;
}
